import { expect, test } from 'vitest'
import { mailProblem } from './mail-queue.rules.ts'

const message = { to: ['sara.vidal@vitrina.example', 'second@other.example'], subject: '', text: '' }

test.each([
  ['550 5.1.1 <sara.vidal@vitrina.example>: unknown', '550 5.1.1 <s…@vitrina.example>: unknown'],
  ['blocked, see https://mail.example/?id=sara and wait', 'blocked, see … and wait'],
  ['421\r\ntoo busy', '421 too busy'],
  ['x'.repeat(400), 'x'.repeat(300)],
])('%s', (text, error) => {
  expect(mailProblem(new Error(text), message)).toEqual({ recipient: 's…@vitrina.example', error })
})

test('a mail that could not be written has no recipient', () => {
  expect(mailProblem('no template', undefined)).toEqual({ recipient: null, error: 'no template' })
})
