// Two to four runs beside each other. Which, stands in the address, and the measure of the table of
// subsets where it is not the one that ranks: #runs=a,b,c&by=brier. What is known of a run comes in
// by a script that calls `compared`, once the run is chosen: a page that is opened from a folder may
// load nothing else.
var compared = (function () {
  "use strict";

  var MOST = 4, LISTED = 12, FEW = 20;
  var el = beside.el;
  var boards = [], whose = Object.create(null), asked = Object.create(null);
  var found = { run: Object.create(null), pairs: Object.create(null) };
  var chosen = [], at = 0, measure = 0, refused = 0;
  var adding, finder, listed, phase, picked, said, shown, tables;

  function slugs(board) { return board.runs.map(function (run) { return run[0]; }); }

  function index() {
    boards.forEach(function (board, i) {
      slugs(board).forEach(function (slug, k) { whose[slug] = { board: i, run: board.runs[k] }; });
      if (board.home === "index.html") { at = i; }
    });
  }

  // What the address has under a name; null where it has none.
  function inHash(name) {
    var found = new RegExp("[#&]" + name + "=([^&]*)").exec(location.hash);
    if (!found) { return null; }
    try { return decodeURIComponent(found[1]); } catch (_) { return found[1]; }
  }

  // The runs that the address asks for: those that are there and of one phase, or the first two;
  // and the measure, or the one that ranks.
  function read() {
    var asks = inHash("runs"), by = inHash("by");
    var wanted = asks === null ? slugs(boards[at]).slice(0, 2) : asks.split(",").filter(Boolean);
    var known = wanted.filter(function (slug, i) { return whose[slug] && wanted.indexOf(slug) === i; });
    if (known.length) { at = whose[known[0]].board; }
    chosen = known.filter(function (slug) { return whose[slug].board === at; }).slice(0, MOST);
    refused = wanted.length - chosen.length;
    measure = boards[at].lead;
    boards[at].measures.forEach(function (one, i) { if (one[3] === by) { measure = i; } });
    show();
  }

  function write() {
    var by = measure === boards[at].lead ? "" : "&by=" + encodeURIComponent(boards[at].measures[measure][3]);
    history.replaceState(null, "", "#runs=" + chosen.join(",") + by);
  }

  function choose(runs) {
    chosen = runs;
    refused = 0;
    write();
    show();
  }

  function load(path) {
    if (asked[path]) { return; }
    asked[path] = true;
    var script = el("script", { src: path });
    script.addEventListener("load", draw);
    document.head.appendChild(script);
  }

  function show() {
    chosen.forEach(function (slug) {
      load("compare/" + slug + ".js");
      if (boards[at].pairs.indexOf(slug) >= 0) { load("compare/pairs/" + slug + ".js"); }
    });
    tables.forEach(function (section, i) { section.hidden = i !== at; });
    pick();
    draw();
  }

  // What is known of the chosen runs, once it is known of all. The focus stays where it is.
  function draw() {
    var held = shown.contains(document.activeElement) && document.activeElement.id;
    shown.textContent = "";
    if (chosen.length < 2 || !chosen.every(function (slug) { return found.run[slug]; })) { return; }
    beside.all({
      board: boards[at], chosen: chosen, runs: found.run, pairs: found.pairs, measure: measure
    }, function (number) {
      measure = number;
      write();
      draw();
      document.getElementById("measure").focus();
    }).forEach(function (node) { shown.appendChild(node); });
    var again = held && document.getElementById(held);
    if (again) { again.focus(); }
  }

  // What is chosen, and what may be chosen besides.
  function pick() {
    picked.textContent = "";
    if (phase) { phase.value = String(at); }
    chosen.forEach(function (slug, i) {
      var run = whose[slug].run;
      var off = el("button", { type: "button", "aria-label": "Remove " + run[1] + " · " + run[2] }, "Remove");
      off.addEventListener("click", function () {
        choose(chosen.filter(function (other) { return other !== slug; }));
        focus();
      });
      picked.appendChild(el("li", {}, [overlay.swatch(i + 1), beside.called(run), " ", off]));
    });
    list();
  }

  // Where one goes on: the search for another run, or the last of the chosen where there is none.
  function focus() { (adding.hidden ? picked.lastChild.querySelector("button") : finder).focus(); }

  function fold(text) { // as on a board
    return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  }

  function list() {
    var words = fold(finder.value).split(/\s+/).filter(Boolean);
    var free = boards[at].runs.filter(function (run) { return chosen.indexOf(run[0]) < 0; });
    var others = free.filter(function (run) {
      var text = fold(run[1] + " " + run[2] + " " + run[0]);
      return words.every(function (word) { return text.indexOf(word) >= 0; });
    });
    var full = chosen.length === MOST;
    var most = others.length > FEW ? LISTED : FEW;
    listed.textContent = "";
    (full ? [] : others.slice(0, most)).forEach(function (run) {
      var add = el("button", { type: "button" }, [
        beside.called(run), run[3] ? el("span", { "class": "n" }, " rank " + run[3]) : ""
      ]);
      add.addEventListener("click", function () {
        finder.value = "";
        choose(chosen.concat(run[0]));
        focus();
      });
      listed.appendChild(el("li", {}, add));
    });
    adding.hidden = full || !free.length;
    said.textContent = (refused ? "Not shown: " + refused + " that are not here, of another phase, or beyond " + MOST + ". " : "") +
      left(full, free.length, others.length, most);
  }

  // How many runs may be chosen besides: nothing where all are.
  function left(full, free, others, most) {
    if (!free) { return chosen.length > 1 ? "" : "There is no other run to compare it with."; }
    if (full) { return "These are " + MOST + " runs: remove one to choose another."; }
    return others + (others === 1 ? " run" : " runs") + " to choose from" +
      (others > most ? ", " + (others - most) + " of them not listed: type to find them." : ".");
  }

  // The phase of the chosen runs: to be chosen, where there are several.
  function phases() {
    if (boards.length < 2) {
      return boards[0].name ? el("p", {}, ["Phase ", el("b", {}, el("bdi", {}, boards[0].name))]) : "";
    }
    phase = el("select", { id: "phase" }, boards.map(function (board, i) {
      return el("option", { value: String(i) }, board.name);
    }));
    phase.addEventListener("change", function () {
      at = Number(phase.value);
      measure = boards[at].lead;
      choose(slugs(boards[at]).slice(0, 2));
    });
    return el("p", {}, [el("label", { "for": "phase" }, "Phase "), phase]);
  }

  function build(box) {
    finder = el("input", { type: "search", id: "find", autocomplete: "off", "aria-describedby": "said" });
    finder.addEventListener("input", list);
    picked = el("ul", { "class": "picked", "aria-label": "Chosen runs" });
    listed = el("ul", { "class": "listed", "aria-label": "Runs to choose from" });
    said = el("p", { id: "said", "class": "key", role: "status" });
    shown = el("div");
    adding = el("p", {}, [el("label", { "for": "find" }, "Find a run to add "), finder]);
    tables = Array.prototype.slice.call(document.querySelectorAll(".static"));
    tables.forEach(function (section) {
      var details = section.querySelector("details");
      if (details) { details.open = false; }
    });
    [el("div", { "class": "picker" }, [
      phases(), picked, adding, listed, said
    ]), shown].forEach(function (node) { box.appendChild(node); });
  }

  document.addEventListener("DOMContentLoaded", function () {
    if (!boards.length) { return; }
    index();
    build(document.getElementById("compare"));
    read();
    window.addEventListener("hashchange", read);
  });

  return function (what, name, data) {
    if (what === "boards") { boards = data; } else { found[what][name] = data; }
  };
})();
