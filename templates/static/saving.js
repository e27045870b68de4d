// Links below a picture that save what is shown: the picture, and the numbers behind it. Files are
// made when they are asked for.
var saving = (function () {
  "use strict";

  // What a picture's shapes and texts have of their looks when nothing else is around them.
  var LOOKS = {
    path: ["fill", "stroke", "stroke-width", "stroke-dasharray"],
    text: ["fill", "font-family", "font-size"]
  };
  var FORMULA = /^[=+\-@\t\r\n']/;
  var UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g; // what XML forbids

  // The picture by itself, with the looks that it has on the page.
  function alone(svg) {
    var copy = svg.cloneNode(true), box = svg.viewBox.baseVal;
    Object.keys(LOOKS).forEach(function (name) {
      var bare = copy.querySelectorAll(name);
      svg.querySelectorAll(name).forEach(function (node, i) {
        var seen = getComputedStyle(node);
        LOOKS[name].forEach(function (look) { bare[i].setAttribute(look, seen.getPropertyValue(look)); });
      });
    });
    copy.querySelectorAll("[class]").forEach(function (node) { node.removeAttribute("class"); });
    copy.setAttribute("width", box.width);
    copy.setAttribute("height", box.height);
    var paper = document.createElementNS(svg.namespaceURI, "rect");
    paper.setAttribute("width", box.width);
    paper.setAttribute("height", box.height);
    paper.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
    copy.insertBefore(paper, copy.querySelector("desc").nextSibling);
    return new XMLSerializer().serializeToString(copy).replace(UNPRINTABLE, "\ufffd");
  }

  function quoted(text) { return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text; }

  // Rows as a file; of the first `keys` columns, which people typed, none is a formula in it.
  function csv(rows, keys) {
    return rows.map(function (row) {
      return row.map(function (cell, i) {
        var text = String(cell);
        return quoted(i < keys && FORMULA.test(text) ? "'" + text : text);
      }).join(",") + "\n";
    }).join("");
  }

  // A link to a file that `made` makes. It is there before the menu of a link is, too.
  function link(title, name, type, made) {
    var node = document.createElement("a");
    function fill() {
      URL.revokeObjectURL(node.href);
      node.href = URL.createObjectURL(new Blob([made()], { type: type }));
    }
    node.textContent = title;
    node.href = "#";
    node.download = name;
    node.addEventListener("pointerdown", fill);
    node.addEventListener("click", function () { if (node.protocol !== "blob:") { fill(); } });
    return node;
  }

  // Links to the files of a picture: `name` is theirs, without the ending.
  function files(name, svg, rows, keys) {
    var node = document.createElement("span");
    node.className = "files";
    node.append(
      "Download: ",
      link("SVG", name + ".svg", "image/svg+xml", function () { return alone(svg); }), " · ",
      link("CSV", name + ".csv", "text/csv", function () { return csv(rows, keys); })
    );
    return node;
  }

  return { files: files };
})();
