"""A whole boosting fit: section gradient_boosting of ALGORITHMS.md."""

import math
from dataclasses import dataclass

import numpy as np
from elementary import log64, logistic
from exact import exponent, fixed, histogram, scale32, scale64, sum64, word

F32 = np.float32
ROWS, FEATURES = 0x62690002, 0x62690003  # purposes


@dataclass
class Split:
    feature: int
    bin: int
    default_left: int
    gain: F32


@dataclass
class Node:
    rows: np.ndarray
    depth: int
    sums: tuple = (0, 0, 0)  # gradient, hessian, count
    split: Split = None
    left: int = 0
    value: F32 = None
    histogram: np.ndarray = None


def normalised(sums):
    return np.asarray(sums, np.int64).astype(F32) * F32(2.0**-30)


class Bins:
    """Edges of every feature and the codes that follow from them."""

    def __init__(self, X, max_bins):
        self.edges = [self.feature_edges(X[:, f].astype(np.float64), max_bins) for f in range(X.shape[1])]
        self.edge_offset = np.cumsum([0, *map(len, self.edges)]).astype(np.uint32)
        self.cell_offset = np.cumsum([0, *(len(e) + 2 for e in self.edges)])

    @staticmethod
    def feature_edges(x, max_bins):
        v = x[~np.isnan(x)]
        v = np.sort(np.where(v == 0, 0.0, v))
        k = len(v)
        starts = [p for p in range(1, k) if v[p - 1] != v[p]]
        if k == 0 or len(starts) + 1 <= max_bins:
            cuts = starts
        else:
            first = [int(np.searchsorted(v, v[j * k // max_bins], side="left")) for j in range(1, max_bins)]
            cuts = sorted({p for p in first if p > 0})
        edges = []
        for p in cuts:
            lower, upper = v[p - 1], v[p]
            middle = lower * 0.5 + upper * 0.5
            inside = middle if middle < upper else lower
            edges.append(inside if inside >= lower else lower)
        return np.array(edges, np.float64)

    def codes(self, X):
        out = np.empty(X.shape, np.uint8)
        for f, edges in enumerate(self.edges):
            x = X[:, f].astype(np.float64)
            above = (x[:, None] > edges[None, :]).sum(axis=1)
            out[:, f] = np.where(np.isnan(x), len(edges) + 1, above)
        return out


class Tree:
    """Growth of one tree."""

    def __init__(self, fit, tree):
        self.fit, self.p, self.t = fit, fit.p, tree
        self.limit = self.p["max_leaf_nodes"] or math.inf
        self.symmetric = self.p["grow_policy"] == "symmetric"
        self.recorded = []
        self.gradients()
        self.features = self.draw_features()
        self.l2 = scale32(F32(self.p["l2_regularization"]), self.eh - 30)
        self.mcw = scale32(F32(self.p["min_child_weight"]), self.eh - 30)
        self.nodes = [Node(self.draw_rows(), 0)]
        root = self.nodes[0]
        self.record(root)
        root.sums = self.sums_of(root.rows)
        if self.may_split(root) and self.limit > 1:
            self.search([root])
        {"lossguide": self.lossguide, "depthwise": self.depthwise, "symmetric": self.levels}[
            self.p["grow_policy"]
        ]()
        self.leaf_values()

    # Steps 1 to 3

    def gradients(self):
        score, target, weight = self.fit.score, self.fit.target, self.fit.weight
        if self.p["loss"] == "log_loss":
            prob = logistic(score)
            g, h = prob - target, prob * (F32(1) - prob)
        else:
            g, h = score - target, np.ones_like(score)
        if weight is not None:
            g, h = g * weight, h * weight
        most_g, most_h = np.abs(g).max(), h.max()
        self.eg = 30 - exponent(most_g) if most_g > 0 else 0
        self.eh = 30 - exponent(most_h) if most_h > 0 else 0
        self.gh = np.stack([fixed(g, self.eg), fixed(h, self.eh)], axis=1)

    def draw_rows(self):
        n = len(self.fit.score)
        if self.p["subsample"] >= 1.0:
            return np.arange(n)
        drawn = word(self.p["seed"], ROWS, range(n), self.t)
        return np.flatnonzero(drawn < math.floor(self.p["subsample"] * 2.0**32))

    def draw_features(self):
        n = self.fit.X.shape[1]
        keep = max(1, math.floor(self.p["colsample_bytree"] * n + 0.5))
        drawn = word(self.p["seed"], FEATURES, range(n), self.t)
        order = sorted(range(n), key=lambda f: (int(drawn[f]), f)) if keep < n else range(n)
        return sorted(list(order)[:keep])

    # Growth

    def sums_of(self, rows):
        return (*(int(s) for s in self.gh[rows].sum(axis=0)), len(rows))

    def record(self, node):
        bins = self.fit.bins
        node.histogram = histogram(self.fit.codes, self.gh, bins.cell_offset, self.features, node.rows)
        self.recorded.append(node.histogram)

    def may_split(self, node):
        deep = self.p["max_depth"] > 0 and node.depth >= self.p["max_depth"]
        count = node.sums[2]
        return not deep and (self.symmetric or (count >= 2 and count // 2 >= self.p["min_samples_leaf"]))

    def goes_left(self, split, rows):
        code = self.fit.codes[rows, split.feature].astype(np.int64)
        missing = len(self.fit.bins.edges[split.feature]) + 1
        return np.where(code == missing, split.default_left == 1, code <= split.bin)

    def expand(self, numbers, stay_open):
        children = []
        for number in numbers:
            parent = self.nodes[number]
            parent.left = len(self.nodes)
            left = self.goes_left(parent.split, parent.rows)
            for rows in (parent.rows[left], parent.rows[~left]):
                child = Node(rows, parent.depth + 1)
                child.sums = self.sums_of(rows)
                self.nodes.append(child)
                children.append(child)
        searched = [child for child in children if stay_open and self.may_split(child)]
        for child in searched:
            self.record(child)
        if self.symmetric and searched:
            self.search(searched)
        elif not self.symmetric:
            for child in searched:
                self.search([child])

    def lossguide(self):
        leaves, open_nodes = 1, [0] if self.nodes[0].split else []
        while leaves < self.limit and open_nodes:
            best = min(open_nodes, key=lambda k: (-float(self.nodes[k].split.gain), k))
            open_nodes.remove(best)
            self.expand([best], leaves + 1 < self.limit)
            left = self.nodes[best].left
            open_nodes += [k for k in (left, left + 1) if self.nodes[k].split]
            leaves += 1

    def depthwise(self):
        leaves, level = 1, [0]
        while level and leaves < self.limit:
            chosen = [k for k in level if self.nodes[k].split]
            room = self.limit - leaves
            if len(chosen) > room:
                chosen = sorted(chosen, key=lambda k: (-float(self.nodes[k].split.gain), k))[:room]
                chosen.sort()
            leaves += len(chosen)
            if not chosen:
                break
            self.expand(chosen, leaves < self.limit)
            level = [child for k in chosen for child in (self.nodes[k].left, self.nodes[k].left + 1)]

    def levels(self):
        level = [0]
        while self.nodes[level[0]].split and 2 * len(level) <= self.limit:
            self.expand(level, 4 * len(level) <= self.limit)
            level = [child for k in level for child in (self.nodes[k].left, self.nodes[k].left + 1)]

    # Search

    def side(self, gradient, hessian):
        g, h = normalised(gradient), normalised(hessian) + self.l2
        return np.where(h > 0, g * g / np.where(h > 0, h, F32(1)), F32(0)).astype(F32)

    def node_gains(self, node, cells, directions):
        """(gain, both sides big enough, left count) of every candidate of a feature, in order."""
        values = np.cumsum(node.histogram[:, cells][:, :-1], axis=1)
        missing = node.histogram[:, cells][:, -1:]
        left = np.stack([values + d * missing for d in range(directions)], axis=2).reshape(3, -1)
        right = np.array(node.sums, np.int64)[:, None] - left
        big = np.ones(left.shape[1], bool)
        for sums in (left, right):
            big &= (sums[2] >= self.p["min_samples_leaf"]) & (normalised(sums[1]) >= self.mcw)
        parent = self.side([node.sums[0]], [node.sums[1]])
        gain = (self.side(left[0], left[1]) + self.side(right[0], right[1])) - parent
        return gain, big, left[2]

    def search(self, level):
        """The split of a node, or the common one of a level."""
        offset, best = self.fit.bins.cell_offset, None
        for f in self.features:
            cells = slice(int(offset[f]), int(offset[f + 1]))
            missing = sum(int(node.histogram[2, offset[f + 1] - 1]) for node in level)
            directions = 2 if missing else 1
            total, any_big, left_count = None, False, 0
            for node in level:
                gain, big, count = self.node_gains(node, cells, directions)
                start = np.zeros_like(gain) if total is None else total
                total = np.where(big, start + gain, start)
                any_big, left_count = any_big | big, left_count + count
            usable = np.where(any_big & (total > 0), total, F32(-1))
            first = int(np.argmax(usable))
            if usable[first] > 0 and (best is None or usable[first] > best.gain):
                bin_, direction = divmod(first, directions)
                whole = sum(node.sums[2] for node in level)
                lean = int(left_count[first] >= whole - left_count[first])
                best = Split(f, bin_, direction if missing else lean, usable[first])
        for node in level:
            node.split = best

    def leaf_values(self):
        rate = F32(self.p["learning_rate"])
        for node in self.nodes:
            node.value = F32(0)
            if node.left:
                continue
            d = normalised(node.sums[1]) + self.l2
            if d > 0:
                v = -(normalised(node.sums[0]) / d) * rate
                node.value = F32(scale32(v, self.eh - self.eg))

    def leaf_of_codes(self):
        """Leaf number of every row of the training table."""
        at = np.zeros(len(self.fit.score), np.int64)
        for number, node in enumerate(self.nodes):  # children come after their parent
            if node.left:
                rows = np.flatnonzero(at == number)
                at[rows] = np.where(self.goes_left(node.split, rows), node.left, node.left + 1)
        return at


class Fit:
    """The fit and its outputs by name."""

    def __init__(self, parameters, inputs):
        self.p, self.X, y = parameters, inputs["X"], inputs["y"]
        w = inputs.get("weight")
        self.weight = None if w is None else w.astype(F32)
        self.out = {}
        self.start(y, w)
        self.bins = Bins(self.X, self.p["max_bins"])
        self.codes = self.bins.codes(self.X)
        edges = np.concatenate(self.bins.edges)
        stages = {
            "baseline": np.array([self.init, self.offset, 2.0**self.E]),
            "bin_edge_offsets": self.bins.edge_offset,
            "bin_edges": edges,
            "binned": self.codes,
            "targets": self.target,
        }
        self.out.update({f"stages/{name}": array for name, array in stages.items()})
        self.trees = []
        for t in range(self.p["n_estimators"]):
            self.add_tree(t)
        self.model(edges)
        self.predict(inputs["X_test"])

    def start(self, y, w):
        mean = sum64(y) / np.float64(len(y)) if w is None else sum64(w * y) / sum64(w)
        self.E, self.offset, self.init = 0, np.float64(0), F32(0)
        if self.p["loss"] == "log_loss":
            self.target = y.astype(F32)
            self.init = F32(log64(np.array([mean]))[0] - log64(np.array([1.0 - mean]))[0])
        else:
            self.offset = mean
            d = y - mean
            most = np.abs(d).max()
            self.E = exponent(most) if most > 0 else 0
            self.target = np.array([scale64(v, -self.E) for v in d]).astype(F32)
        self.score = np.full(len(y), self.init, F32)

    def add_tree(self, t):
        tree = Tree(self, t)
        values = np.array([node.value for node in tree.nodes], F32)
        self.score = self.score + values[tree.leaf_of_codes()]
        inner = [node.left > 0 for node in tree.nodes]
        splits = [
            (n.split.feature, n.split.bin, n.split.default_left, n.left) if i else (-1, 0, 0, 0)
            for n, i in zip(tree.nodes, inner)
        ]
        stages = {
            "gradient_exponents": np.array([tree.eg, tree.eh], np.int32),
            "gradients": tree.gh.astype(np.int32),
            "histograms": np.stack(tree.recorded),
            "splits": np.array(splits, np.int32),
            "gains": np.array([n.split.gain if i else 0 for n, i in zip(tree.nodes, inner)], F32),
            "leaf_values": values,
            "scores": self.score,
        }
        self.out.update({f"stages/tree/{t}/{name}": array for name, array in stages.items()})
        self.trees.append(tree)

    def threshold(self, split):
        edges = self.bins.edges[split.feature]
        return edges[split.bin] if split.bin < len(edges) else np.inf

    def model(self, edges):
        columns = {
            name: []
            for name in (
                "feature",
                "threshold",
                "bin",
                "default_left",
                "left",
                "value",
                "gain",
                "cover",
                "count",
            )
        }
        for tree in self.trees:
            for n in tree.nodes:
                s = n.split if n.left else None
                row = (
                    s.feature if s else -1,
                    self.threshold(s) if s else 0.0,
                    s.bin if s else 0,
                    s.default_left if s else 0,
                    n.left,
                    n.value,
                    scale64(float(s.gain), tree.eh + 30 - 2 * tree.eg + 2 * self.E) if s else 0.0,
                    scale64(float(n.sums[1]), -tree.eh),
                    n.sums[2],
                )
                for column, value in zip(columns.values(), row):
                    column.append(value)
        dtypes = (
            np.int32,
            np.float64,
            np.uint32,
            np.uint8,
            np.uint32,
            F32,
            np.float64,
            np.float64,
            np.uint32,
        )
        for (name, column), dtype in zip(columns.items(), dtypes):
            self.out[f"model/{name}"] = np.array(column, dtype)
        self.out["model/tree_offset"] = np.cumsum([0, *(len(tree.nodes) for tree in self.trees)]).astype(
            np.uint64
        )
        self.out["model/init_score"] = np.array([self.init], F32)
        self.out["model/output"] = np.array([self.offset, 2.0**self.E])
        self.out["model/edges"] = edges
        self.out["model/edge_offset"] = self.bins.edge_offset

    def predict(self, X):
        score = np.full(len(X), self.init, F32)
        leaves = np.zeros((len(X), len(self.trees)), np.int32)
        for t, tree in enumerate(self.trees):
            for number, node in enumerate(tree.nodes):
                if node.left:
                    rows = np.flatnonzero(leaves[:, t] == number)
                    x = X[rows, node.split.feature].astype(np.float64)
                    left = np.where(
                        np.isnan(x), node.split.default_left == 1, x <= self.threshold(node.split)
                    )
                    leaves[rows, t] = np.where(left, node.left, node.left + 1)
            score = score + np.array([node.value for node in tree.nodes], F32)[leaves[:, t]]
        self.out["leaf_numbers"] = leaves
        self.out["raw_predictions"] = self.offset + 2.0**self.E * score.astype(np.float64)
