"""The conformance kit: plays any game at random and checks what every game must keep."""
