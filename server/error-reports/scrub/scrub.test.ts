import { expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { leastProcessorMs } from '#tests/support/processor-time.ts'
import { scrubContext } from './context.ts'
import { isSecretKey } from './secret-keys.ts'
import { scrubText } from './text.ts'

test.each([
  ['password=hunter2 and more', 'password=[filtered] and more'],
  ['{"apiKey":"abc123","author":"Ann"}', '{"apiKey":[filtered],"author":"Ann"}'],
  ['postgres://app:s3cret@db.example/x', 'postgres://[filtered]@db.example/x'],
  ['Authorization: Bearer abc.def-123456', 'Authorization: [filtered]'],
  ['got Basic dXNlcjpwYXNz from it', 'got Basic [filtered] from it'],
  ['basic authentication failed', 'basic authentication failed'],
  ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1 is old', 'token [filtered] is old'],
  ['key sk_live_abcdefgh12345678 leaked', 'key [filtered] leaked'],
  ['key patio_app_0123456789abcdefghijklmnop leaked', 'key [filtered] leaked'],
  ['card 4111 1111 1111 1111 declined', 'card [card] declined'],
  ['order 4111111111111112 declined', 'order 4111111111111112 declined'],
  ['at 1700000000001 it stopped', 'at 1700000000001 it stopped'],
  ['mail to ann.b+x@mail.example.org failed', 'mail to [email] failed'],
  ['import @scope/name from node@24', 'import @scope/name from node@24'],
  ['a -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- b', 'a [filtered] b'],
  ['a -----BEGIN RSA PRIVATE KEY-----\nabc', 'a [filtered]'],
  ['Error: token=abc==, x', 'Error: token=[filtered], x'],
  ['at /login?apiKey=abc&b=1', 'at /login?apiKey=[filtered]&b=1'],
  ['Cookie: theme=dark; sid=abc123\nat pay', 'Cookie: [filtered]\nat pay'],
  ['{"set-cookie":"sid=abc; Path=/","count":1}', '{"set-cookie":[filtered],"count":1}'],
  ['token: undefined', 'token: undefined'],
  ['nothing to hide: 42', 'nothing to hide: 42'],
])('%s', (text, clean) => {
  expect(scrubText(text)).toBe(clean)
  // scrubbing is idempotent
  expect(scrubText(clean)).toBe(clean)
})

test.each([
  [
    true,
    [
      'password',
      'userPassword',
      'X-Api-Key',
      'client_secret',
      'accessToken',
      'Authorization',
      'cardNumber',
      'set-cookie',
    ],
  ],
  [false, ['author', 'authority', 'keyboard', 'monkey', 'passenger', 'secretary', 'pinned', 'count']],
])('secret %s: %j', (isSecret, keys) => {
  for (const key of keys) expect([key, isSecretKey(key)]).toEqual([key, isSecret])
})

test('context: removes secrets at any depth, limits depth and size, and marks the truncation', () => {
  expect(
    scrubContext({
      user: { mail: 'ann@example.test', password: 'x', pin: 1234 },
      list: [{ token: 'x' }, null, true],
    }),
  ).toEqual({
    user: { mail: '[email]', password: '[filtered]', pin: '[filtered]' },
    list: [{ token: '[filtered]' }, null, true],
  })
  let deep: Record<string, unknown> = { end: 1 }
  for (let n = 0; n < 10; n++) deep = { deep }
  const cut = scrubContext(deep)
  expect(cut._truncated).toBe(true)
  expect(JSON.stringify(cut)).not.toContain('end')

  const large = scrubContext(
    Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key${n}`, 'é'.repeat(20)])),
  )
  expect(large._truncated).toBe(true)
  expect(Buffer.byteLength(JSON.stringify(large))).toBeLessThan(limits.errorContextBytes * 1.1)
  const long = scrubContext({ text: 'x'.repeat(100_000), after: 1 })
  expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(limits.errorContextBytes * 1.1)
  expect(long._truncated).toBe(true)
})

test.each([
  'a=',
  '"a":',
  'a@b.',
  '@',
  ':',
  '=',
  'Bearer ',
  'cookie:',
  'eyJ.',
  '4111 ',
  '-----BEGIN ',
  'a://a:',
  "'",
  'sk_live_',
])('linear time for repetitions of %s', async piece => {
  const text = piece.repeat(10_000).slice(0, 10_000)
  expect(await leastProcessorMs(() => scrubText(text), 40)).toBeLessThan(40)
})
