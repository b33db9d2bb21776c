// The thread that reads commands, so that an interrupt is heard while a block is busy. It shares nothing with the driver but what it
// is given.

const { Socket } = require("node:net");
const { parentPort, workerData } = require("node:worker_threads");

const { cells, answers, runningCell, lockCell, answersCell, stoppedCell } = workerData;
let inspector;

function obey(line) {
  const command = JSON.parse(line);
  if (command.op === "interrupt") return interrupt(Atomics.load(cells, runningCell));
  if (command.op === "answer") {
    answers.postMessage(command);
    Atomics.add(cells, answersCell, 1);
    Atomics.notify(cells, answersCell);
    return;
  }
  if (command.op === "run") Atomics.store(cells, runningCell, command.id);
  parentPort.postMessage(command);
}

/** Asks the main thread to stop; one that does not hear is cut off, and asked again. */
function interrupt(id) {
  if (id === 0 || Atomics.load(cells, runningCell) !== id) return;
  Atomics.store(cells, stoppedCell, id);
  parentPort.postMessage({ op: "interrupt", id });
  setTimeout(() => {
    cutOff(id);
    setTimeout(interrupt, 20, id);
  }, 4);
}

function cutOff(id) {
  if (Atomics.compareExchange(cells, lockCell, 0, 2) !== 0) return; // it is telling the host something
  if (Atomics.load(cells, runningCell) === id) {
    if (!inspector) {
      inspector = new (require("node:inspector").Session)();
      inspector.connectToMainThread();
    }
    inspector.post("Runtime.terminateExecution");
  }
  Atomics.store(cells, lockCell, 0);
}

/** The host is gone: nothing of ours may stay behind. */
function leave() {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {}
  process.kill(process.pid, "SIGKILL");
}

let rest = "";
const host = new Socket({ fd: 3, readable: true, writable: false }).setEncoding("utf8");
host.on("data", (text) => {
  if (!text.includes("\n")) {
    rest += text; // a long line is put together once
    return;
  }
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  lines.forEach(obey);
});
for (const event of ["end", "error", "close"]) host.on(event, leave);
