// Tables of chosen runs beside each other. Everything is text as it was
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

  // The marks of the runs, which stand for the names where there is no room for these.
  function legend(view) {
    return el("ul", { "class": "whose" }, view.chosen.map(function (slug) {
      return el("li", {}, [mark(view, slug), el("a", { href: slug + ".html" }, called(about(view, slug)))]);
    }));
  }

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
  function value(cell, drawn) {
    if (typeof cell === "string") { return cell; }
    return [el("span", cell[2] ? { title: cell[2] } : {}, cell[0])]
      .concat(cell[2] ? el("span", { "class": "unseen" }, " " + cell[2]) : [])
      .concat(drawn || [])
      .concat(cell[1] ? el("small", { "class": "span" }, cell[1]) : [])
      .concat(cell[3] ? el("small", { "class": "floor" }, cell[3]) : []);
  }

  function once(texts) {
    return texts.filter(function (text, i) { return text && texts.indexOf(text) === i; });
  }

  // The scores of the chosen runs by a measure on some parts, these by their numbers.
  function cells(view, measure, parts) {
    return [].concat.apply([], view.chosen.map(function (slug) {
      return parts.map(function (part) { return view.runs[slug].scores[measure][part]; });
    }));
  }

  // What was noted of scores with a mark, or in place of one, each once.
  function notes(scores, sign) {
    return once(scores.filter(function (cell) {
      return typeof cell !== "string" && cell[0].slice(-1) === sign;
    }).map(function (cell) { return cell[2]; }));
  }

  // The notes of a measure, to stand below a table.
  function noted(view, measure, parts) {
    return ["†", "–"].map(function (sign) {
      var found = notes(cells(view, measure, parts), sign);
      return found.length ? " " + sign + " " + view.board.measures[measure][0] + ": " + found.join("; ") + "." : "";
    }).join("");
  }

  // Why no score is shown on any of some parts by any measure; empty if one is.
  function withheld(view, parts) {
    var every = [].concat.apply([], view.board.measures.map(function (_, i) { return cells(view, i, parts); }));
    var some = every.some(function (cell) { return typeof cell === "string" ? cell : cell[0] !== "–"; });
    return some ? "" : notes(every, "–").join("; ");
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
    var title = ["Scores"].concat(view.board.name ? [": ", el("bdi", {}, view.board.name)] : []);
    return [el("h2", { id: "scores" }, title), legend(view)].concat(table(
      "Scores", row("Measure", [heads(view)]), rows.concat([row("Scored instances", [counts])]),
      "Below a value stands its 95% interval, and below a calibration error its floor." +
        view.board.measures.map(function (_, i) { return noted(view, i, [0]); }).join("")
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

  // The ends of an interval as printed, as numbers; none where it has none.
  function ends(found) {
    var parts = found ? found[1].split(" to ") : [];
    return parts.length === 2 ? parts.map(Number) : [];
  }

  // How far from zero the intervals of pairs reach.
  function extent(every) {
    return Math.max.apply(null, [].concat.apply([], every.map(ends)).map(Math.abs).concat(0));
  }

  // A difference and its interval, and both as a strip around zero.
  function gap(found, scale) {
    var between = ends(found);
    return value([found[0], between.length ? found[1] : "", "", ""], between.length && scale
      ? overlay.strip(Number(found[0]) / scale, between[0] / scale, between[1] / scale) : "");
  }

  function differences(view) {
    var family = view.board.family;
    var heading = el("h2", { id: "differences" }, "Differences in " + family[0]);
    if (family[2]) {
      return [heading, el("p", {}, "These runs are not compared: " + family[2] + ".")];
    }
    var all = pairs(view), scale = extent(all.map(function (pair) { return told(view, pair, 0); }));
    var rows = all.map(function (pair) {
      var found = told(view, pair, 0);
      var title = [
        el("span", { "class": "one" }, [mark(view, pair[0]), called(about(view, pair[0]))]),
        el("span", { "class": "one" }, [
          el("span", { "class": "soft" }, " less "), mark(view, pair[1]), called(about(view, pair[1]))
        ])
      ];
      if (!found) { return [title, "–", "–", "not compared: only " + view.board.compares + " are"]; }
      return [title, gap(found, scale), found[2], found[3] || found[4]];
    });
    var made = table(
      "Differences", ["Pair", "Difference", "Adjusted p", "Told apart"], rows,
      "Below a difference stands its 95% interval, drawn beside zero. " +
      METHODS[family[3]] + " over " + many(family[1]) + " instances that all compared runs were scored on: " +
      "intervals and p hold together for every pair of the board, with 95%, and not only for those " +
      "chosen here."
    );
    made[0].classList.add("gaps");
    return [heading].concat(made);
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
    var heading = el("h2", { id: "subsets" }, "By subset");
    var places = board.parts.map(function (_, k) { return k; }).slice(1);
    if (!places.length) { return []; }
    var why = withheld(view, places);
    if (why) { return [heading, el("p", {}, "No subset has a value here: " + why + ".")]; }
    var shown = pairs(view).filter(function (pair) {
      return ranks && board.parts.some(function (_, k) { return k && told(view, pair, k); });
    });
    var head = row("Subset", [heads(view), shown.map(function (pair) {
      return [mark(view, pair[0]), el("span", { "class": "soft" }, " less "), mark(view, pair[1]),
        el("span", { "class": "unseen" }, [called(about(view, pair[0])), " less ", called(about(view, pair[1]))])];
    })]);
    var rows = board.parts.slice(1).map(function (part, k) {
      var title = [el("bdi", { "class": "soft" }, part[0]), " ", el("bdi", {}, part[1]),
        el("span", { "class": "n" }, " n\u00a0" + many(part[2]))];
      return row(title, [view.chosen.map(function (slug) {
        return value(view.runs[slug].scores[view.measure][k + 1]);
      }), shown.map(function (pair) { return difference(view, pair, k + 1); })]);
    });
    var key = ranks && !shown.length ? "" : ranks
      ? "≠: told apart. Each subset is a family of comparisons of its own: over many subsets a few pairs are told apart by chance."
      : "Differences are told of " + board.measures[board.lead][0] + " alone.";
    return [heading, choice(view, change)].concat(
      table("By subset", head, rows, key + noted(view, view.measure, places))
    );
  }

  // Everything that is said of the chosen runs, in order.
  function all(view, change) {
    return scores(view).concat(
      differences(view), overlaid.reliability(view), overlaid.coverage(view), subsets(view, change)
    );
  }

  return {
    about: about, all: all, called: called, el: el, heads: heads, many: many, mark: mark, row: row, table: table
  };
})();
