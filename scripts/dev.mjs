// Port and database of `pnpm dev` differ from those of `pnpm start`, so that both can run at once.
import { explainOptions, run } from './run.mjs';

explainOptions('dev\n\nRuns the API and the page with hot reload, with votes of its own.');

process.env.DATABASE ??= '.data/dev.sqlite';
process.env.PORT ??= '3001';
const { status } = run('turbo', ['run', 'dev', '--ui=stream', '--env-mode=loose'], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
