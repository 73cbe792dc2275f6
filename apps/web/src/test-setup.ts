import { afterEach } from 'vitest';

afterEach(() => {});
