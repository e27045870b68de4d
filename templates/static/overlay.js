// Reliability diagrams over each other: a line and a mark for each run. Runs are told apart by
// the mark's shape and the line's dashes as well as by colour; the numbers stand in a table beside.
var overlay = (function () {
  "use strict";

  var NS = "http://www.w3.org/2000/svg";
  var SIDE = 240, LEFT = 44, TOP = 12;
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

  function x(share) { return (LEFT + SIDE * share).toFixed(1); }
  function y(share) { return (TOP + SIDE * (1 - share)).toFixed(1); }

  function axes(svg) {
    for (var i = 0; i <= 5; i += 1) {
      var at = i / 5;
      svg.appendChild(made("path", {
        "class": "grid",
        d: "M" + x(at) + " " + y(0) + "V" + y(1) + "M" + x(0) + " " + y(at) + "H" + x(1)
      }));
      svg.appendChild(made("text", {
        "class": "tick", x: x(at), y: TOP + SIDE + 14, "text-anchor": "middle"
      }, String(at)));
      svg.appendChild(made("text", {
        "class": "tick", x: LEFT - 6, y: Number(y(at)) + 3, "text-anchor": "end"
      }, String(at)));
    }
    svg.appendChild(made("path", { "class": "ideal", d: "M" + x(0) + " " + y(0) + "L" + x(1) + " " + y(1) }));
    svg.appendChild(made("text", {
      "class": "axis", x: x(0.5), y: TOP + SIDE + 30, "text-anchor": "middle"
    }, "Confidence"));
    svg.appendChild(made("text", {
      "class": "axis", x: 0, y: 0, "text-anchor": "middle",
      transform: "translate(11 " + y(0.5) + ") rotate(-90)"
    }, "Accuracy"));
  }

  // The bins of a run whose accuracy is told, as [confidence, accuracy].
  function points(bins) {
    return bins
      .filter(function (bin) { return !isNaN(Number(bin[4])); })
      .map(function (bin) { return [Number(bin[3]), Number(bin[4])]; });
  }

  function series(svg, run, slot) {
    var group = made("g", { "class": "slot slot-" + slot });
    var found = points(run.bins);
    group.appendChild(made("path", {
      "class": "line",
      d: found.map(function (p, i) { return (i ? "L" : "M") + x(p[0]) + " " + y(p[1]); }).join("") || "M0 0"
    }));
    found.forEach(function (p) {
      group.appendChild(made("path", {
        "class": "mark-of", d: MARKS[slot - 1], transform: "translate(" + x(p[0]) + " " + y(p[1]) + ")"
      }));
    });
    svg.appendChild(group);
  }

  // A picture of runs: each has bins of [low, high, n, confidence, accuracy].
  function draw(runs) {
    var svg = made("svg", {
      viewBox: "0 0 " + (LEFT + SIDE + 12) + " " + (TOP + SIDE + 38),
      role: "img", "aria-labelledby": "overlay-title overlay-desc"
    });
    svg.appendChild(made("title", { id: "overlay-title" }, "Reliability diagrams of " + runs.length + " runs"));
    svg.appendChild(made("desc", { id: "overlay-desc" },
      "Accuracy by mean confidence in each bin; on the dashed diagonal confidence is right. " +
      "The table beside it has every number."));
    axes(svg);
    runs.forEach(function (run, i) { series(svg, run, i + 1); });
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
