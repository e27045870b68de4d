// Diagrams of runs over each other: a line and a mark for each run. Runs are told apart by the
// mark's shape and the line's dashes as well as by colour; the numbers stand in a table beside.
var overlay = (function () {
  "use strict";

  var NS = "http://www.w3.org/2000/svg";
  var SIDE = 240, LEFT = 44, TOP = 12, FOOT = 38, LINE = 15;
  var MARKED = 10; // points of a line that have marks
  // A mark of each run, around 0, 0.
  var MARKS = [
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
    "M-3.7 -3.7H3.7V3.7H-3.7Z",
    "M0 -4.8L4.6 3.6H-4.6Z",
    "M0 -5.2L5.2 0L0 5.2L-5.2 0Z"
  ];

  function made(name, attributes, text) {
    var node = document.createElementNS(NS, name);
    Object.keys(attributes).forEach(function (key) { node.setAttribute(key, attributes[key]); });
    if (text !== undefined) { node.textContent = text; }
    return node;
  }

  function round(place) { return place.toFixed(1); }

  // Where values stand: both axes end at 1, the one across begins at 0, the other at `low`.
  function x(value) { return round(LEFT + SIDE * value); }
  function y(value, low) { return round(TOP + SIDE * (1 - value) / (1 - low)); }

  // The values at which an axis from `low` to 1 has its marks.
  function ticks(low) {
    var span = 1 - low, step = span > 0.55 ? 0.2 : span > 0.25 ? 0.1 : span > 0.15 ? 0.05 : 0.02;
    var found = [];
    for (var i = 0; 1 - i * step > low - 1e-9; i += 1) { found.push(Number((1 - i * step).toFixed(2))); }
    return found;
  }

  function axes(svg, plot) {
    ticks(0).forEach(function (at) {
      svg.appendChild(made("path", { "class": "grid", d: "M" + x(at) + " " + TOP + "V" + (TOP + SIDE) }));
      svg.appendChild(made("text", {
        "class": "tick", x: x(at), y: TOP + SIDE + 14, "text-anchor": "middle"
      }, String(at)));
    });
    ticks(plot.low).forEach(function (at) {
      var place = y(at, plot.low);
      svg.appendChild(made("path", { "class": "grid", d: "M" + x(0) + " " + place + "H" + x(1) }));
      svg.appendChild(made("text", {
        "class": "tick", x: LEFT - 6, y: Number(place) + 3, "text-anchor": "end"
      }, String(at)));
    });
    if (plot.diagonal) {
      svg.appendChild(made("path", { "class": "ideal", d: "M" + x(0) + " " + y(0, 0) + "L" + x(1) + " " + y(1, 0) }));
    }
    svg.appendChild(made("text", {
      "class": "axis", x: x(0.5), y: TOP + SIDE + 30, "text-anchor": "middle"
    }, plot.across));
    svg.appendChild(made("text", {
      "class": "axis", x: 0, y: 0, "text-anchor": "middle",
      transform: "translate(11 " + (TOP + SIDE / 2) + ") rotate(-90)"
    }, plot.up));
  }

  function lined(found) {
    return found.map(function (p, i) { return (i ? "L" : "M") + p.join(" "); }).join("");
  }

  // The line of a run, and its mark at ten of its points or a few more, the last one among them.
  function series(svg, plot, run, slot) {
    var group = made("g", { "class": "slot slot-" + slot });
    var found = run.points.map(function (p) { return [x(p[0]), y(p[1], plot.low)]; });
    var every = Math.ceil(found.length / MARKED);
    group.appendChild(made("title", {}, run.name));
    group.appendChild(made("path", { "class": "line", d: lined(found) }));
    found.forEach(function (p, i) {
      if ((found.length - 1 - i) % every) { return; }
      group.appendChild(made("path", {
        "class": "mark-of", d: MARKS[slot - 1], transform: "translate(" + p.join(" ") + ")"
      }));
    });
    svg.appendChild(group);
  }

  // Which run has which line and mark.
  function legend(svg, run, slot, place) {
    var at = TOP + SIDE + FOOT + LINE * place + 8;
    var group = made("g", { "class": "whom slot slot-" + slot });
    group.appendChild(made("path", { "class": "line", d: "M" + LEFT + " " + at + "h30" }));
    group.appendChild(made("path", {
      "class": "mark-of", d: MARKS[slot - 1], transform: "translate(" + (LEFT + 15) + " " + at + ")"
    }));
    group.appendChild(made("text", { "class": "axis", x: LEFT + 37, y: at + 3 }, run.label));
    svg.appendChild(group);
  }

  // A picture of runs. plot: its `name`, which its ids begin with, its `title`, what it is `about`,
  // its axes `across` and `up`, of which this one begins at `low`, and whether it has a `diagonal`;
  // and its `runs`: the `name` of each, a short `label`, and its `points`, a list of [across, up].
  // A run without points has no line.
  function draw(plot) {
    var drawn = plot.runs.filter(function (run) { return run.points.length; });
    var svg = made("svg", {
      viewBox: "0 0 " + (LEFT + SIDE + 12) + " " + (TOP + SIDE + FOOT + LINE * drawn.length + 4),
      role: "img", "aria-labelledby": plot.name + "-title " + plot.name + "-desc"
    });
    svg.appendChild(made("title", { id: plot.name + "-title" },
      plot.title + " of " + drawn.length + (drawn.length === 1 ? " run" : " runs")));
    svg.appendChild(made("desc", { id: plot.name + "-desc" }, plot.about));
    axes(svg, plot);
    drawn.forEach(function (run) { series(svg, plot, run, plot.runs.indexOf(run) + 1); });
    drawn.forEach(function (run, i) { legend(svg, run, plot.runs.indexOf(run) + 1, i); });
    return svg;
  }

  // The line and the mark of a run by themselves. Its box is around 0, 0: in heads that are printed
  // on every page a transform is lost.
  function swatch(slot) {
    var svg = made("svg", { width: 30, height: 12, viewBox: "-15 -6 30 12", "class": "swatch slot slot-" + slot, "aria-hidden": "true" });
    svg.appendChild(made("path", { "class": "line", d: "M-15 0H15" }));
    svg.appendChild(made("path", { "class": "mark-of", d: MARKS[slot - 1] }));
    return svg;
  }

  // A difference and its interval around zero; 1 is as far as the strip reaches both ways.
  function strip(difference, low, high) {
    function at(share) { return (48 + 46 * share).toFixed(1); }
    var svg = made("svg", { width: 96, height: 12, viewBox: "0 0 96 12", "class": "strip", "aria-hidden": "true" });
    svg.appendChild(made("path", { "class": "base", d: "M0 6H96" }));
    svg.appendChild(made("path", { "class": "zero", d: "M48 0V12" }));
    svg.appendChild(made("path", { d: "M" + at(low) + " 6H" + at(high) }));
    svg.appendChild(made("path", { "class": "found", d: "M" + at(difference) + " 1V11" }));
    return svg;
  }

  return { draw: draw, strip: strip, swatch: swatch };
})();
