// Search, filters, colours, the menu on small screens. Without this script the pages still say everything.
(function () {
  "use strict";
  var root = document.documentElement;
  function one(s, at) { return (at || document).querySelector(s); }
  function all(s, at) { return Array.prototype.slice.call((at || document).querySelectorAll(s)); }
  function typing() { return /^(input|select|textarea)$/i.test((document.activeElement || {}).tagName || ""); }
  function make(tag, cls, text) { var e = document.createElement(tag); if (cls) e.className = cls; if (text) e.textContent = text; return e; }

  // ---- light and dark
  var theme = one(".theme");
  if (theme) {
    theme.hidden = false;
    var name = function () { return root.dataset.theme || "auto"; };
    var tell = function () {
      theme.textContent = { auto: "◐", light: "☀", dark: "☾" }[name()];
      theme.setAttribute("aria-label", "Colours: " + { auto: "as the system has them", light: "light", dark: "dark" }[name()]);
    };
    theme.addEventListener("click", function () {
      var next = { auto: "dark", dark: "light", light: "auto" }[name()];
      if (next === "auto") delete root.dataset.theme; else root.dataset.theme = next;
      try { localStorage.setItem("rules-theme", next); } catch (e) { /* no storage */ }
      tell();
    });
    tell();
  }

  // ---- what the rules say exactly: all of it at once, by a click or the key e
  var exact = one(".exact"), folds = all("details.exactly, details.logic");
  if (exact && folds.length) {
    exact.hidden = false;
    var open = function (on, keep) {
      folds.forEach(function (d) { d.open = on; });
      exact.setAttribute("aria-pressed", String(on));
      if (keep) try { localStorage.setItem("rules-exactly", on ? "1" : ""); } catch (e) { /* no storage */ }
    };
    exact.addEventListener("click", function () { open(exact.getAttribute("aria-pressed") !== "true", true); });
    document.addEventListener("keydown", function (e) {
      if (e.key === "e" && !e.ctrlKey && !e.metaKey && !e.altKey && !typing()) open(exact.getAttribute("aria-pressed") !== "true", true);
    });
    try { if (localStorage.getItem("rules-exactly")) open(true); } catch (e) { /* no storage */ }
  }

  // ---- the menu on small screens
  var menu = one(".menu"), contents = one("#contents");
  if (menu && contents) {
    menu.hidden = false;
    menu.addEventListener("click", function () {
      var open = contents.classList.toggle("open");
      menu.setAttribute("aria-expanded", String(open));
      if (open) { var link = one("a", contents); if (link) link.focus(); }
    });
  }
  var here = one(".contents [aria-current]");
  if (here && contents && contents.scrollHeight > contents.clientHeight) contents.scrollTop = here.offsetTop - contents.clientHeight / 3;

  // ---- search
  function plain(s) { return s.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, ""); }
  var input = one("#find"), box = one("#found"), count = one("#found-count"), holder = one(".search");
  if (input && window.RULES_INDEX) {
    holder.hidden = false;
    var entries = window.RULES_INDEX, engine = null, chosen = -1, found = [];
    // Words that say nothing about what is looked for, unless there is nothing else.
    var EMPTY = " a an and are as at be by can do does for from how i if in is it many may much my of on or the to what when where which who with go goes happens happen there not any me us we they their your them have has had ";
    // Words for the same: one stands for the other. And words that are near: they count, but less.
    var SAME = { dice: "die", wins: "win", won: "win", winner: "win", winning: "win", victory: "win", victories: "win", naval: "sea", entry: "enter", entries: "enter", stacks: "stack" };
    // A plane is no plan, and nobody who is tied is at a tile.
    var WHOLE = /^(?:(?:bi|air|war)?planes?|ties?)$/;
    var NEAR = [
      "battle|combat|attack|fight", "modifier|shift|bonus|modify", "reinforcement|replacement|recruit|new units|placing", "fleet|navy|ship|sea", "size|limit",
      "country|nation|power", "hex|area|region|space", "income|resource|production|industry|money", "airplane|aircraft|plane|biplane|air",
      "rail|railway|railroad|train", "loss|lose|lost|casualty|damage|hit", "eliminate|destroy|kill|remove|lose", "surrender|conquer|collapse|fall", "adjacent|next|neighbour|border",
      "terrain|ground|mountain|rough", "tie|equal|both have as many", "roll|die", "setup|setting up", "trench|entrench|dig", "long|length", "order|sequence|initiative",
      "fort|fortress", "submarine|u-boat", "withdraw|retreat|fall back", "control|friendly|belong|whose", "alliance|side|team", "simultaneous|at once|at the same time",
      "pile|deck", "stacking|room", "draw|deal", "cost|price|pay", "discard|throw away", "revolution|collapse", "prisoner|surrender", "hidden|secret|face down",
      "rebuy|buy|buy back", "amphibious|invasion|landing", "solo|solitaire|alone|bot", "overstack|stacking|full", "isolated|out of supply|cut off", "capacity|holds|room",
      "technology|research", "exhausted|spent|flip", "look|see|inspect", "capital|city", "mandatory|must be", "unit|piece|counter|tile"
    ];
    // Questions that everybody asks, and words that an answer has.
    var ASKED = [
      [/how many (?:turns|rounds|years|seasons)/, "length"],
      [/(?:who|which) .*first\b|first player|who (?:starts|begins|goes)|initiative|\b(?:turn|play) order|order of (?:the )?(?:turns?|play)/, "sequence of play"],
      [/end of (?:the )?game|game (?:ends?|over)|(?:how|when) (?:does|do|is) .*\b(?:end|over|won)\b/, "victory"],
      [/declar\w+ war|ent(?:ers?|ry)\b.*\bwar\b|joins?\b.*\bwar\b/, "neutral"]
    ];
    var words_in = function (text) {
      var out = [];
      (plain(text).match(/[\p{L}\p{N}]+(?:[.'’\-][\p{L}\p{N}]+)*/gu) || []).forEach(function (w) {
        out.push(w);
        if (/[.'’\-]/.test(w) && !/^\d/.test(w)) {
          out.push.apply(out, w.split(/[.'’\-]/).filter(function (p) { return p.length > 1; }));
          if (/-/.test(w)) out.push(w.replace(/-/g, "")); // "set-up" is found by "setup"
        }
      });
      return out;
    };
    // A word without its ending: "dice" is found by "die", "movement" by "moves", "bidding" by "bid".
    var stem = function (w) {
      if (SAME[w]) return SAME[w];
      if (WHOLE.test(w)) return w.replace(/s$/, "");
      if (w.length < 4 || /\d/.test(w)) return w;
      var cut = w.replace(/ie[sd]$/, "y").replace(/([^s])s$/, "$1");
      [/(?:ing|ed)$/, /ment$/, /ion$/].forEach(function (end, n) {
        var made = cut.replace(end, "");
        if (made.length > (n ? 3 : 2) && /[aeiouy]/.test(made)) cut = made;
      });
      cut = cut.replace(/([bdfgklmnprt])\1$/, "$1").replace(/e$/, "");
      return SAME[cut] || cut;
    };
    // What is near to each word: by the list above, and by what the things of the game are called otherwise.
    var near = {}, named = {};
    var nearer = function (some, is_name) {
      some.forEach(function (w) {
        some.forEach(function (o) { if (o !== w) { (near[w] = near[w] || []).push(o); if (is_name) named[o] = true; } });
      });
    };
    var build = function () {
      engine = new window.MiniSearch({
        fields: ["title", "what", "text"], tokenize: words_in, processTerm: stem,
        searchOptions: {
          boost: { title: 4, what: 0.6 }, prefix: function (t) { return t.length > 1; }, maxFuzzy: 2,
          fuzzy: function (t) { return t.length > 3 && !/\d/.test(t) ? (t.length > 7 ? 2 : 1) : false; }, weights: { prefix: 0.45, fuzzy: 0.2 },
          boostDocument: function (id) { return entries[id][4] / 10; }
        }
      });
      var stems = function (group) { return group.map(function (name) { return words_in(name).map(stem).join(" "); }); };
      NEAR.forEach(function (group) { nearer(stems(group.split("|")), false); });
      (window.RULES_WORDS || []).forEach(function (group) { nearer(stems(group), true); });
      engine.addAll(entries.map(function (e, n) { return { id: n, title: e[0], what: e[1], text: e[3] }; }));
    };
    // What something is called, without its number and what stands behind it in brackets.
    var called = function (t) { return words_in(t.replace(/^§\S+ /, "").replace(/ \(.*$/, "")).map(stem).join(" "); };
    // Numbers are in every text, and whoever asks for the effects of something asks for it: such words only help to
    // choose among what else is found.
    var FEW = " one two three four five six seven eight nine ten ", VAGUE = " effect effects rule rules work works mean means need needed explained ";
    var look = function (text) {
      if (!engine) build();
      var asked = words_in(text), telling = asked.filter(function (w) { return EMPTY.indexOf(" " + w + " ") < 0; });
      var query = (telling.length ? telling : asked).join(" ");
      // Each word by itself, or what is near to it; what has more of the words comes first by far.
      var some = {}, number = 0;
      (telling.length ? telling : asked).forEach(function (word) {
        var best = {}, add = function (h, share) {
          if (!best[h.id] || best[h.id].score < h.score * share) best[h.id] = { id: h.id, score: h.score * share, terms: h.terms };
        };
        var vague = VAGUE.indexOf(" " + word + " ") >= 0 && telling.length > 1;
        if (!vague) number += 1;
        // A slip is looked for only where what was typed finds nothing: "turn" is no slip for "Turin".
        var found = engine.search(word, { fuzzy: false });
        (found.length ? found : engine.search(word)).forEach(function (h) { add(h, 1); });
        (near[stem(word)] || []).forEach(function (other) {
          // What is called so is meant: "USA" is the United States.
          engine.search(other, { combineWith: "AND", prefix: false, fuzzy: false }).forEach(function (h) {
            if (/ /.test(other) && words_in(entries[h.id][0] + " " + entries[h.id][3]).map(stem).join(" ").indexOf(other) < 0) return;
            add(h, named[other] && called(entries[h.id][0]) === other ? 2 : 0.4);
          });
        });
        // "Dice" is not what somebody looks for who is told to die: a word that is there as it was typed counts more.
        var typed = new RegExp("(^|[^\\p{L}])" + word.replace(/[.]/g, "\\."), "u"), weak = vague || FEW.indexOf(" " + word + " ") >= 0 ? 0.3 : 1;
        Object.keys(best).forEach(function (id) {
          var h = best[id], s = some[id] = some[id] || { id: h.id, score: 0, terms: [], words: 0 };
          if (SAME[word] && !typed.test(plain(entries[h.id][0] + " " + entries[h.id][3]))) h.score *= words_in(entries[h.id][0]).map(stem).indexOf(SAME[word]) >= 0 ? 0.25 : 0.9;
          s.score += h.score * weak; s.words += vague ? 0 : 1; s.terms = s.terms.concat(h.terms);
        });
      });
      ASKED.forEach(function (pair) {
        if (pair[0].test(plain(text))) engine.search(pair[1], { combineWith: "AND", prefix: false, fuzzy: false }).forEach(function (h) {
          var s = some[h.id] = some[h.id] || { id: h.id, score: 0, terms: [], words: 0 };
          s.score = Math.max(s.score, h.score * 2); s.words = number; s.terms = s.terms.concat(h.terms);
        });
      });
      var asked_stems = telling.map(stem), said = plain(text).trim(), hits = Object.keys(some).map(function (id) {
        var h = some[id], e = entries[h.id];
        // A title that says nothing beside what was asked is meant, even where its text lacks a word.
        var title = called(e[0]).split(" ").filter(function (w) { return EMPTY.indexOf(" " + w + " ") < 0; });
        var is_part = e[4] > 20 && title.length && title[0] && title.every(function (w) { return asked_stems.indexOf(w) >= 0; });
        h.score *= Math.pow(h.words / (number || 1), is_part ? 1 : 3);
        if (number > 1 && plain(e[0] + " " + e[3]).indexOf(said) >= 0) h.score *= 2;
        return h;
      });
      // What is called just so comes first; each place is shown once.
      var name = called(query);
      hits.forEach(function (h) {
        var title = called(entries[h.id][0]);
        // Also what was meant by a word that is spelled otherwise.
        if (title === name || (number === 1 && h.terms.indexOf(title) >= 0)) h.score *= entries[h.id][4] > 9 ? 4 : entries[h.id][4] > 3 ? 3 : 1.2;
      });
      hits.sort(function (a, b) { return b.score - a.score; });
      var seen = {}, out = [];
      hits.forEach(function (h) { var to = entries[h.id][2]; if (!seen[to] && out.length < 14) { seen[to] = true; out.push([h, entries[h.id]]); } });
      return out;
    };
    var marked = function (into, text, words) {
      var low = plain(text), at = 0;
      if (low.length !== text.length) { into.appendChild(document.createTextNode(text)); return; }
      while (at < text.length) {
        var best = -1, len = 0;
        words.forEach(function (w) { var p = low.indexOf(w, at); if (p >= 0 && (best < 0 || p < best)) { best = p; len = w.length; } });
        if (best < 0) break;
        into.appendChild(document.createTextNode(text.slice(at, best)));
        into.appendChild(make("mark", "", text.slice(best, best + len)));
        at = best + len;
      }
      into.appendChild(document.createTextNode(text.slice(at)));
    };
    var show = function () {
      var words = plain(input.value).split(/\s+/).filter(Boolean), telling = words.filter(function (w) { return EMPTY.indexOf(" " + w + " ") < 0; });
      if (telling.length) words = telling;
      box.textContent = ""; chosen = -1; found = [];
      if (words.length) {
        var hits = look(input.value);
        found = hits.map(function (h) { return { title: h[1][0], what: h[1][1], href: h[1][2], text: h[1][3] }; });
        // What is marked are the words of the text that were found, which may be spelled otherwise than what was typed.
        hits.forEach(function (h) { h[0].terms.forEach(function (t) { if (t.length > 2 && words.indexOf(t) < 0) words.push(t); }); });
        found.forEach(function (e, n) {
          var a = make("a"); a.href = e.href; a.id = "found-" + n; a.setAttribute("role", "option"); a.setAttribute("aria-selected", "false"); a.tabIndex = -1;
          var t = make("span"); marked(t, e.title, words); a.appendChild(t);
          a.appendChild(document.createTextNode(" ")); a.appendChild(make("span", "what", e.what));
          if (e.text) {
            var s = make("span", "text"), p = -1;
            words.forEach(function (w) { if (p < 0) p = plain(e.text).indexOf(w); });
            marked(s, (p > 40 ? "…" : "") + e.text.slice(p > 40 ? p - 30 : 0), words); a.appendChild(s);
          }
          a.addEventListener("click", close);
          box.appendChild(a);
        });
        if (!found.length) box.appendChild(make("p", "", "Nothing found."));
      }
      count.textContent = words.length ? (found.length ? found.length + " results" : "Nothing found") : "";
      box.hidden = !words.length;
      input.setAttribute("aria-expanded", String(!box.hidden));
      input.removeAttribute("aria-activedescendant");
    };
    var close = function () { box.hidden = true; input.setAttribute("aria-expanded", "false"); };
    var pick = function (n) {
      var items = all("a", box);
      if (!items.length) return;
      chosen = (n + items.length) % items.length;
      items.forEach(function (a, i) { a.setAttribute("aria-selected", String(i === chosen)); });
      items[chosen].scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", items[chosen].id);
    };
    input.addEventListener("input", show);
    input.addEventListener("focus", function () { if (input.value) show(); });
    input.addEventListener("keydown", function (e) {
      if (e.key === "ArrowDown") { pick(chosen + 1); e.preventDefault(); }
      else if (e.key === "ArrowUp") { pick(chosen < 0 ? -1 : chosen - 1); e.preventDefault(); }
      else if (e.key === "Enter") { var a = all("a", box)[Math.max(chosen, 0)]; if (a) { close(); location.href = a.href; } }
      else if (e.key === "Escape") { if (input.value) { input.value = ""; show(); } else input.blur(); }
    });
    document.addEventListener("keydown", function (e) {
      if (e.key === "/" && !typing()) { e.preventDefault(); input.focus(); }
    });
    document.addEventListener("click", function (e) { if (!holder.contains(e.target)) close(); });
  }

  // ---- colours of the map
  all("[data-map]").forEach(function (figure) {
    var by = one(".colour-by", figure);
    if (!by) return;
    by.hidden = false;
    by.addEventListener("change", function (e) {
      all(".space", figure).forEach(function (g) {
        var box = one(".box", g);
        box.setAttribute("class", box.getAttribute("class").replace(/\b(c\d+|plain)\b/, g.getAttribute("data-c" + e.target.value)));
      });
      all("[data-by]", figure).forEach(function (l) { l.hidden = l.getAttribute("data-by") !== e.target.value; });
    });
  });

  // ---- large maps: nearer, further, moved about
  // What is seen first is where most is: what has changed, or else the middle one of the spaces, from each side.
  function centre(room, svg) {
    var seen = all(".box.marked", svg);
    if (!seen.length) seen = all(".spaces .label, .spaces .space", svg);
    if (!seen.length) return;
    var frame = svg.getBoundingClientRect(), boxes = seen.map(function (e) { return e.getBoundingClientRect(); });
    var middle = function (of) { var at = boxes.map(of).sort(function (a, b) { return a - b; }); return at[Math.floor(at.length / 2)]; };
    room.scrollLeft = middle(function (b) { return b.left + b.width / 2; }) - frame.left - room.clientWidth / 2;
    room.scrollTop = middle(function (b) { return b.top + b.height / 2; }) - frame.top - room.clientHeight / 2;
  }
  all(".picture .scroll > svg.map").forEach(function (svg) {
    var room = svg.parentNode, natural = svg.viewBox.baseVal.width;
    if (!natural || natural < room.clientWidth * 0.9) return;
    // A pair that would be cut off beside each other stands one above the other.
    var pair = svg.closest(".pair");
    if (pair && natural * 0.85 > room.clientWidth) pair.classList.add("stacked");
    if (natural < room.clientWidth * 0.9) return;
    var bar = make("div", "zoom"), zoom = 0;
    var set = function (z) {
      var x = (room.scrollLeft + room.clientWidth / 2) / room.scrollWidth, y = (room.scrollTop + room.clientHeight / 2) / room.scrollHeight;
      zoom = Math.max(room.clientWidth / natural, Math.min(3, z));
      svg.style.width = natural * zoom + "px"; svg.style.minWidth = "0"; svg.style.maxWidth = "none"; svg.style.height = "auto";
      room.scrollLeft = x * room.scrollWidth - room.clientWidth / 2; room.scrollTop = y * room.scrollHeight - room.clientHeight / 2;
    };
    [["+", "Nearer", 1.35], ["−", "Further", 1 / 1.35], ["□", "All of it", 0]].forEach(function (b) {
      var e = make("button", "tool", b[0]); e.type = "button"; e.setAttribute("aria-label", b[1]); e.title = b[1];
      e.addEventListener("click", function () { set(b[2] ? (zoom || svg.getBoundingClientRect().width / natural) * b[2] : 0); });
      bar.appendChild(e);
    });
    room.parentNode.insertBefore(bar, room);
    centre(room, svg);
    if (pair) room.addEventListener("scroll", function () {
      all(".scroll", pair).forEach(function (other) { if (other !== room) { other.scrollLeft = room.scrollLeft; other.scrollTop = room.scrollTop; } });
    });
    var from = null;
    room.addEventListener("pointerdown", function (e) { if (e.pointerType === "mouse" && e.button === 0) from = [e.clientX + room.scrollLeft, e.clientY + room.scrollTop, e.clientX, e.clientY]; });
    window.addEventListener("pointermove", function (e) { if (from) { room.scrollLeft = from[0] - e.clientX; room.scrollTop = from[1] - e.clientY; } });
    window.addEventListener("pointerup", function () { from = null; });
    room.addEventListener("click", function (e) { if (room.dataset.moved) { e.preventDefault(); delete room.dataset.moved; } }, true);
    window.addEventListener("pointermove", function (e) { if (from && Math.abs(e.clientX - from[2]) + Math.abs(e.clientY - from[3]) > 6) room.dataset.moved = "1"; });
    svg.addEventListener("dragstart", function (e) { e.preventDefault(); });
  });

  // ---- cards
  all("[data-gallery]").forEach(function (gallery) {
    var bar = one(".filters", gallery);
    if (!bar) return;
    bar.hidden = false;
    bar.open = window.innerWidth > 700; // on a phone the cards come first
    var cards = all(".card", gallery).map(function (e) { return { e: e, values: JSON.parse(e.dataset.values || "{}"), text: plain(e.textContent) }; });
    var text = one("[data-text]", bar), selects = all("[data-filter]", bar), shown = one(".shown", bar);
    var update = function () {
      var words = plain(text.value).split(/\s+/).filter(Boolean), n = 0;
      cards.forEach(function (c) {
        var ok = selects.every(function (s) { return !s.value || (c.values[s.dataset.filter] || []).indexOf(s.value) >= 0; }) &&
          words.every(function (w) { return c.text.indexOf(w) >= 0; });
        c.e.hidden = !ok; n += ok ? 1 : 0;
      });
      shown.textContent = n + " of " + cards.length + " shown";
    };
    bar.addEventListener("input", update);
    bar.addEventListener("change", update);
    one("[data-clear]", bar).addEventListener("click", function () { text.value = ""; selects.forEach(function (s) { s.value = ""; }); update(); });
    update();
    if (location.hash) { var c = document.getElementById(decodeURIComponent(location.hash.slice(1))); if (c) c.scrollIntoView({ behavior: "instant" }); }
  });

  // ---- the index of rules
  all("[data-rules]").forEach(function (bar) {
    bar.hidden = false;
    var select = one("select", bar), rows = all(".grid.index tbody tr"), shown = one(".shown", bar);
    var update = function () {
      var n = 0;
      rows.forEach(function (r) { var ok = !select.value || r.classList.contains(select.value); r.hidden = !ok; n += ok ? 1 : 0; });
      shown.textContent = n + " of " + rows.length + " shown";
    };
    select.addEventListener("change", update);
    update();
  });

  // ---- a link into a fold opens it
  function unfold() {
    var at = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    var opened = false;
    for (var e = at; e; e = e.parentElement) if (e.tagName === "DETAILS" && !e.open) opened = e.open = true;
    if (opened) at.scrollIntoView({ behavior: "instant" });
  }
  window.addEventListener("hashchange", unfold);
  if (location.hash) unfold();
})();
