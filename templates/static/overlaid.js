// Diagrams of the chosen runs over each other: each as a picture, as a table, and as files.
//
// view  as in beside.js
var overlaid = (function () {
  "use strict";

  var WITHHELD = "–: not shown: too few answers, or withheld with such a bin.";
  var KEYS = ["team", "run", "address"];
  var NONE = "–";

  // A run within a sentence, whichever way its names are written.
  function said(run) {
    return run.slice(1, 3).map(function (name) {
      return "\u2068" + name.replace(/\u2069/g, "") + "\u2069";
    }).join(" · ");
  }

  // A section of a diagram. what: the `plot` without its runs; its `heading`; `points` and `rows` of
  // a run, the rows under `columns`, as a file has them; and `beside` it, a table of what is drawn.
  // Nothing where no run of the task has such a diagram; a run without one is named, with why.
  function section(view, what) {
    var el = beside.el;
    var without = view.chosen.filter(function (slug) { return !what.rows(view.runs[slug]).length; });
    if (without.some(function (slug) { return !view.runs[slug].undrawn; })) { return []; }
    var found = [el("h2", { id: what.plot.name }, what.heading)];
    if (without.length < view.chosen.length) { found.push(drawn(view, what)); }
    return found.concat(without.map(function (slug) {
      return el("p", { "class": "key" }, [
        beside.mark(view, slug), beside.called(beside.about(view, slug)),
        " has none: " + view.runs[slug].undrawn + "."
      ]);
    }));
  }

  function drawn(view, what) {
    var el = beside.el, rows = [KEYS.concat(what.columns)];
    what.plot.runs = view.chosen.map(function (slug) {
      var run = view.runs[slug], known = beside.about(view, slug);
      what.rows(run).forEach(function (row) { rows.push([known[1], known[2], slug].concat(row)); });
      return { name: said(known), label: run.label, points: what.points(run) };
    });
    var svg = overlay.draw(what.plot), name = [what.plot.name].concat(view.chosen).join("-");
    return el("div", { "class": "overlaid" }, [
      el("figure", { "class": "overlay" }, [
        svg, el("figcaption", {}, [what.caption, " ", saving.files(name, svg, rows, KEYS.length)])
      ]),
      el("div", {}, what.beside)
    ]);
  }

  // A table of the chosen runs, whose rows are made by `cell` of a run and a row's title.
  function table(view, label, first, titles, cell, key) {
    return beside.table(label, beside.row(first, [beside.heads(view)]), titles.map(function (title) {
      return beside.row(title, [view.chosen.map(function (slug) { return cell(view.runs[slug], title); })]);
    }), key);
  }

  function small(text) { return beside.el("small", { "class": "span" }, text); }

  // --- accuracy in bins of confidence: [low, high, n, mean confidence, accuracy]

  function span(bin) { return Number(bin[0].toFixed(4)) + " – " + Number(bin[1].toFixed(4)); }

  function bins(view) {
    var found = Object.create(null), hidden = false;
    view.chosen.forEach(function (slug) {
      view.runs[slug].bins.forEach(function (bin) {
        found[span(bin)] = bin[0];
        hidden = hidden || bin[4] === NONE;
      });
    });
    var titles = Object.keys(found).sort(function (a, b) { return found[a] - found[b]; });
    return table(view, "Accuracy in each bin", "Confidence", titles, function (run, title) {
      var bin = run.bins.filter(function (one) { return span(one) === title; })[0];
      return bin ? [bin[4], small("at " + bin[3] + ", n\u00a0" + beside.many(bin[2]))] : "";
    }, hidden ? WITHHELD : "");
  }

  function reliability(view) {
    return section(view, {
      heading: "Reliability",
      plot: {
        name: "reliability", title: "Reliability diagrams",
        about: "Accuracy by mean confidence in each bin; on the dashed diagonal confidence is right.",
        across: "Confidence", up: "Accuracy", low: 0, diagonal: true
      },
      points: function (run) {
        return run.bins.filter(function (bin) { return bin[4] !== NONE; })
          .map(function (bin) { return [Number(bin[3]), Number(bin[4])]; });
      },
      columns: ["confidence", "n", "mean confidence", "accuracy"],
      rows: function (run) {
        return run.bins.map(function (bin) { return [span(bin), bin[2], bin[3], bin[4].replace(NONE, "")]; });
      },
      caption: "Accuracy in each bin, at its mean confidence. Below the diagonal a run is overconfident.",
      beside: bins(view)
    });
  }

  // --- accuracy against coverage: points [confidence from, kept, coverage, accuracy]

  // The first point of a run in each tenth of coverage, by that tenth.
  function tenths(run) {
    var found = Object.create(null);
    run.curve.forEach(function (point) {
      var tenth = Math.floor(10 * Number(point[2]) + 1e-9);
      if (tenth && !found[tenth]) { found[tenth] = point; }
    });
    return found;
  }

  function steps(view) {
    var titles = [];
    for (var i = 1; i <= 10; i += 1) {
      if (view.chosen.some(function (slug) { return tenths(view.runs[slug])[i]; })) { titles.push(String(i / 10)); }
    }
    return table(view, "Accuracy at coverages", "Coverage from", titles, function (run, title) {
      var point = tenths(run)[Math.round(10 * title)];
      return point ? [point[3], small("at " + point[2])] : "";
    }, "Below an accuracy stands the share of all answers at which it is reached. The CSV has every point, " +
      "and the confidence from which answers are kept.");
  }

  // Where the axis of accuracy begins, as in the pictures of runs.
  function least(view) {
    var every = [].concat.apply([], view.chosen.map(function (slug) {
      return view.runs[slug].curve.map(function (point) { return Number(point[3]); });
    }));
    var low = Math.floor(Math.min.apply(null, every) * 10 - 1e-9) / 10;
    return Math.max(Math.min(low, 0.9), 0);
  }

  function coverage(view) {
    var low = least(view);
    return section(view, {
      heading: "Accuracy by coverage",
      plot: {
        name: "coverage", title: "Accuracy–coverage curves",
        about: "Accuracy of the surest answers against their share of all.",
        across: "Coverage", up: "Accuracy", low: low, diagonal: false
      },
      points: function (run) {
        return run.curve.map(function (point) { return [Number(point[2]), Number(point[3])]; });
      },
      columns: ["confidence from", "kept", "coverage", "accuracy"],
      rows: function (run) { return run.curve; },
      caption: "The accuracy of the answers at or above a confidence, against their share of all; a point " +
        "stands only where confidences differ, and no step tells of a few answers." + (low ? " The axis of accuracy begins at " + low + "." : ""),
      beside: steps(view)
    });
  }

  return { coverage: coverage, reliability: reliability };
})();
