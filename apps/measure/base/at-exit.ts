const cleanups = new Set<() => void>();

process.once('exit', cleanUp);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    cleanUp();
    process.kill(process.pid, signal);
  });
}

/** Calls `clean` when this process ends, also by Ctrl-C. Returns a function that takes it back. */
export function atExit(clean: () => void): () => void {
  cleanups.add(clean);
  return () => void cleanups.delete(clean);
}

function cleanUp() {
  for (const clean of cleanups) clean();
  cleanups.clear();
}
