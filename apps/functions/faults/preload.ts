import { DatabaseSync } from 'node:sqlite';

// Loaded before the server (`--import`) with the fault as its query.

const fault = new URL(import.meta.url).searchParams;

const slowMs = Number(fault.get('slowMs'));
if (slowMs > 0) {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql) {
    if (sql === 'COMMIT') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, slowMs);
    exec.call(this, sql);
  };
}

if (fault.has('clock')) {
  const day = 24 * 60 * 60 * 1_000;
  const steps = [day, -day, 0];
  const { now } = Date;
  let step = 0;
  process.on('SIGUSR2', () => {
    const jump = steps[step % steps.length] ?? 0;
    step += 1;
    Date.now = () => now() + jump;
  });
}
