// Tables of chosen runs beside each other, and their diagrams. Everything is text as it was
// printed when the site was made: nothing is computed here. What people typed is text.
//
// view: the `board` and the slugs `chosen` of it; what was read of each run (`runs`) and of pairs
// (`pairs`) by slug; the `measure` of the table of subsets, by its number.
var beside = (function () {
  "use strict";

  var ARROWS = { higher: ["↑", "higher is better"], lower: ["↓", "lower is better"] };

  var METHODS = {
    bootstrap: "Paired bootstrap, the largest |t| of all pairs of the board,",
    bound: "Hoeffding's bound on sums of differences, for all pairs of the board,"
  };

  // An element with attributes, and inside it text and elements.
  function el(name, settings, inside) {
    var node = document.createElement(name);
    Object.keys(settings || {}).forEach(function (key) { node.setAttribute(key, settings[key]); });
    [].concat(inside === undefined ? [] : inside).forEach(function (part) {
      node.appendChild(part instanceof Node ? part : document.createTextNode(part));
    });
    return node;
  }

  function many(number) { return number.toLocaleString("en"); }

  function about(view, slug) {
    return view.board.runs.filter(function (run) { return run[0] === slug; })[0];
  }

  // A run by its team and name.
  function called(run) {
    return el("span", { "class": "called" }, [el("bdi", {}, run[1]), " · ", el("bdi", {}, run[2])]);
  }

  function mark(view, slug) { return overlay.swatch(view.chosen.indexOf(slug) + 1); }

  function heads(view) {
    return view.chosen.map(function (slug) {
      return [mark(view, slug), el("a", { href: slug + ".html" }, called(about(view, slug)))];
    });
  }

  // The cells of a row: concat would take a cell that is a list for several.
  function row(first, lists) {
    return lists.reduce(function (cells, list) {
      list.forEach(function (cell) { cells.push(cell); });
      return cells;
    }, [first]);
  }

  // A row is a list of cells, a cell text, a node or a list of these; the first is the header.
  function table(label, head, rows, key) {
    function line(kind, scope, cells) {
      return el("tr", {}, cells.map(function (cell, i) {
        var name = i ? kind : "th";
        var settings = { "class": i ? "num" : "measure" };
        if (name === "th") { settings.scope = scope; }
        return el(name, settings, cell);
      }));
    }
    var body = rows.map(function (row) { return line("td", "row", row); });
    var made = el("table", { "class": "profile beside" }, [
      el("thead", {}, line("th", "col", head)), el("tbody", {}, body)
    ]);
    var region = { "class": "scroll", role: "region", "aria-label": label, tabindex: "0" };
    return [el("div", region, made)].concat(key ? el("p", { "class": "key" }, key) : []);
  }

  // A score as it was printed: text, or text, interval, note and floor.
  function value(cell) {
    if (typeof cell === "string") { return cell; }
    return [el("span", cell[2] ? { title: cell[2] } : {}, cell[0])]
      .concat(cell[2] ? el("span", { "class": "unseen" }, " " + cell[2]) : [])
      .concat(cell[1] ? el("small", { "class": "span" }, cell[1]) : [])
      .concat(cell[3] ? el("small", { "class": "floor" }, cell[3]) : []);
  }

  // What was noted of the values with a mark, by measure, each once.
  function noted(view) {
    return view.board.measures.map(function (one, i) {
      var notes = view.chosen.map(function (slug) { return view.runs[slug].scores[i][0]; })
        .filter(function (cell) { return typeof cell !== "string" && /†$/.test(cell[0]); })
        .map(function (cell) { return cell[2]; })
        .filter(function (note, k, all) { return note && all.indexOf(note) === k; });
      return notes.length ? " † " + one[0] + ": " + notes.join("; ") + "." : "";
    }).join("");
  }

  function scores(view) {
    var rows = view.board.measures.map(function (one, i) {
      var arrow = ARROWS[one[1]];
      var name = [el("a", { href: "../measures.html#" + one[2] }, one[0])].concat(arrow ? [
        " ", el("span", { "class": "direction", title: arrow[1] }, [
          el("span", { "aria-hidden": "true" }, arrow[0]), el("span", { "class": "unseen" }, arrow[1])
        ])
      ] : []);
      return row(name, [view.chosen.map(function (slug) {
        return value(view.runs[slug].scores[i][0]);
      })]);
    });
    var counts = view.chosen.map(function (slug) { return many(view.runs[slug].n[0]); });
    return [el("h2", { id: "scores" }, "Scores")].concat(table(
      "Scores", row("Measure", [heads(view)]), rows.concat([row("Scored instances", [counts])]),
      "Below a value stands its 95% interval, and below a calibration error its floor." + noted(view)
    ));
  }

  // Each pair of the chosen runs as the board has them: the first of it, and the second.
  function pairs(view) {
    var order = view.board.runs.map(function (run) { return run[0]; });
    var sorted = view.chosen.slice().sort(function (a, b) {
      return order.indexOf(a) - order.indexOf(b);
    });
    var found = [];
    sorted.forEach(function (a, i) {
      sorted.slice(i + 1).forEach(function (b) { found.push([a, b]); });
    });
    return found;
  }

  // What is told of a pair in a part: difference, interval, p, told apart, or why that is unknown.
  function told(view, pair, part) {
    var of = (view.pairs[pair[0]] || {})[pair[1]] || {};
    return of[String(part)] || null;
  }

  function differences(view) {
    var family = view.board.family;
    var heading = el("h2", { id: "differences" }, "Differences in " + family[0]);
    if (family[2]) {
      return [heading, el("p", {}, "These runs are not compared: " + family[2] + ".")];
    }
    var rows = pairs(view).map(function (pair) {
      var found = told(view, pair, 0);
      var title = [
        el("span", { "class": "one" }, [mark(view, pair[0]), called(about(view, pair[0]))]),
        el("span", { "class": "one" }, [
          el("span", { "class": "soft" }, " less "), mark(view, pair[1]), called(about(view, pair[1]))
        ])
      ];
      if (!found) { return [title, "–", "–", "–", "not compared: only " + view.board.compares + " are"]; }
      return [title, found[0], found[1], found[2], found[3] || found[4]];
    });
    return [heading].concat(table(
      "Differences", ["Pair", "Difference", "95% interval", "Adjusted p", "Told apart"], rows,
      METHODS[family[3]] + " over " + many(family[1]) + " instances that all compared runs were scored on: " +
      "intervals and p hold together for every pair of the board, with 95%, and not only for those " +
      "chosen here."
    ));
  }

  function diagrams(view) {
    var runs = view.chosen.map(function (slug) { return view.runs[slug]; });
    if (!runs.every(function (run) { return run.bins.length; })) { return []; }
    var ends = Object.create(null);
    runs.forEach(function (run) {
      run.bins.forEach(function (bin) { ends[bin[0].toFixed(4)] = bin; });
    });
    var rows = Object.keys(ends).sort().map(function (low) {
      var title = Number(low) + " – " + Number(ends[low][1].toFixed(4));
      return row(title, [runs.map(function (run) {
        var bin = run.bins.filter(function (one) { return one[0].toFixed(4) === low; })[0];
        return bin ? [bin[4], el("small", { "class": "span" }, "at " + bin[3] + ", n " + many(bin[2]))] : "";
      })]);
    });
    var caption = "Accuracy in each bin, at its mean confidence. Below the diagonal a run is overconfident.";
    return [el("h2", { id: "reliability" }, "Reliability"), el("div", { "class": "overlaid" }, [
      el("figure", { "class": "overlay" }, [overlay.draw(runs), el("figcaption", {}, caption)]),
      el("div", {}, table("Accuracy in each bin", row("Confidence", [heads(view)]), rows))
    ])];
  }

  function difference(view, pair, part) {
    var found = told(view, pair, part);
    if (!found) { return "–"; }
    var note = "adjusted p " + found[2] + (found[4] ? "; " + found[4] : "");
    return value([found[0] + (found[3] === "yes" ? " ≠" : ""), found[1].replace(/^–$/, ""), note, ""]);
  }

  // Which measure the table of subsets shows; `change` is called with its number.
  function choice(view, change) {
    var select = el("select", { id: "measure" }, view.board.measures.map(function (one, i) {
      return el("option", { value: String(i) }, one[0]);
    }));
    select.value = String(view.measure);
    select.addEventListener("change", function () { change(Number(select.value)); });
    return el("p", {}, [el("label", { "for": "measure" }, "Measure "), select]);
  }

  function subsets(view, change) {
    var board = view.board, ranks = view.measure === board.lead;
    if (board.parts.length < 2) { return []; }
    var shown = pairs(view).filter(function (pair) {
      return ranks && board.parts.some(function (_, k) { return k && told(view, pair, k); });
    });
    var head = row("Subset", [heads(view), shown.map(function (pair) {
      return [mark(view, pair[0]), el("span", { "class": "soft" }, " less "), mark(view, pair[1]),
        el("span", { "class": "unseen" }, [called(about(view, pair[0])), " less ", called(about(view, pair[1]))])];
    })]);
    var rows = board.parts.slice(1).map(function (part, k) {
      var title = [el("bdi", { "class": "soft" }, part[0]), " ", el("bdi", {}, part[1]),
        el("span", { "class": "n" }, " n " + many(part[2]))];
      return row(title, [view.chosen.map(function (slug) {
        return value(view.runs[slug].scores[view.measure][k + 1]);
      }), shown.map(function (pair) { return difference(view, pair, k + 1); })]);
    });
    var key = ranks
      ? "≠: told apart. Each subset is a family of comparisons of its own: over many subsets a few pairs are told apart by chance."
      : "Differences are told of " + board.measures[board.lead][0] + " alone.";
    return [el("h2", { id: "subsets" }, "By subset"), choice(view, change)].concat(table("By subset", head, rows, key));
  }

  // Everything that is said of the chosen runs, in order.
  function all(view, change) {
    return scores(view).concat(differences(view), diagrams(view), subsets(view, change));
  }

  return { all: all, called: called, el: el };
})();
