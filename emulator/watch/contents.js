// What arrays hold at a moment. One pass through the trace writes down, for each number of each array, when it changed;
// a moment is then looked up by bisection, so that stepping back costs what stepping forward does.

class Contents {
    constructor(trace) {
        this.trace = trace;
        this.histories = trace.arrays.map(() => new Map()); // number → {times, values}, in order
        for (const launch of trace.launches) for (const block of launch.shown) this.follow(launch, block);
    }

    /** What a number of the array holds after the moment: undefined if not known, null if never written. */
    at(array, unit, block, column) {
        const history = this.histories[array.number].get(unit);
        if (!history) return undefined;
        const found = countUpTo(history.times, block.start + column + 1) - 1;
        if (found < 0 || (array.memory === "shared" && history.times[found] < block.start)) return undefined;
        return history.values[found];
    }

    /** The numbers of the array up to the last one that any step touches. */
    touched(array) {
        if (array.touched === undefined) {
            array.touched = 0;
            for (const unit of this.histories[array.number].keys()) array.touched = Math.max(array.touched, unit + 1);
        }
        return array.touched;
    }

    /** Whether the number was written between two moments of the block: after `from`, up to and with `to`. */
    written(array, unit, block, from, to) {
        const history = this.histories[array.number].get(unit);
        if (!history) return false;
        return countUpTo(history.writes, block.start + to + 1) > countUpTo(history.writes, block.start + from + 1);
    }

    follow(launch, block) {
        for (const round of block.rounds) {
            for (let i = 0; i < round.columns; ++i) {
                round.warps.forEach((steps, warp) => {
                    if (steps[i]) this.apply(launch, block, warp, steps[i], block.start + round.start + i + 1);
                });
            }
        }
    }

    apply(launch, block, warp, step, time) {
        const site = this.trace.sites[step.site];
        const operation = site.operation;
        if (step.array === undefined || step.values === undefined) return;
        const lists = Array.isArray(step.array);
        for (let i = 0; i < step.values.length; ++i) {
            const number = lists ? step.array[i] : step.array;
            const array = this.trace.arrays[number];
            const start = array.memory === "shared" ? block.start : launch.start;
            const unit = Math.floor((step.at ? step.at[i] : step.from + i * (step.by || 0)) / array.unit);
            const value = step.values[i];
            if (Array.isArray(value)) {
                value.forEach((one, j) => this.note(number, unit + j, operation, one, undefined, time, start));
            } else if (operation === "load" || site.bytes >= array.unit) {
                this.note(number, unit, operation, value, step.before && step.before[i], time, start);
            } else {
                this.note(number, unit, operation, undefined, undefined, time, start); // a part of a number
            }
        }
    }

    note(number, unit, operation, value, before, time, start) {
        let history = this.histories[number].get(unit);
        if (!history) this.histories[number].set(unit, (history = { times: [], values: [], writes: [] }));
        const last = history.times.length - 1;
        const known = last >= 0 && history.times[last] >= start;
        if (operation === "load") {
            // What is read before it is written was there from the beginning.
            if (!known) push(history, start, value);
            return;
        }
        if (operation === "atomic" && !known) push(history, start, before);
        const now = history.values[history.values.length - 1];
        const adds = operation === "atomic" && [value, before, now].every((one) => typeof one === "number");
        push(history, time, adds ? now + (value - before) : value);
        if (operation !== "atomic" || value !== before) history.writes.push(time);
    }
}

/** The last of several changes in one column is what counts. */
function push(history, time, value) {
    const last = history.times.length - 1;
    if (last >= 0 && history.times[last] === time) {
        history.values[last] = value;
    } else {
        history.times.push(time);
        history.values.push(value);
    }
}
