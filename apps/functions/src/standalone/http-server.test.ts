import { expect, test } from 'vitest';
import { startApiServer } from '../../testing/api-server.ts';

test.each([{ Expect: 'a-miracle' }, { Range: 'bytes=9-' }, { 'If-Match': '"x"' }])(
  'B8 a vote with the header %j counts',
  async (headers) => {
    const { send } = await startApiServer();
    expect((await send('POST', '/api/goty/hades-2', headers)).status).toBe(200);
  },
);
