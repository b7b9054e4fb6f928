import { expect, test } from 'vitest'
import { openLog } from './log.ts'

function logged(fields: object): { line: string; err: Record<string, unknown> } {
  let line = ''
  openLog('info', 'test', {
    write: text => {
      line = text
    },
  }).info(fields, 'said')
  return { line, ...JSON.parse(line) }
}

test('an error is logged without the values that the database quotes', () => {
  const failed = Object.assign(new Error('duplicate key value'), {
    code: '23505',
    constraint: 'person_email_key',
    detail: 'Key (email)=(ada@example.com) already exists.',
    where: 'ada@example.com',
    client: { password: 'hunter2' },
  })
  const { line, err } = logged({ err: new Error('not created', { cause: failed }) })
  expect(line).not.toMatch(/ada@|hunter2/)
  expect(err).toMatchObject({ type: 'Error', message: 'not created', stack: expect.any(String) })
  expect(err.cause).toMatchObject({
    message: 'duplicate key value',
    code: '23505',
    constraint: 'person_email_key',
  })
})

test('thrown values that are not errors, and secrets, are not logged', () => {
  const { line, err } = logged({ err: 'hunter2', request: { token: 'hunter2', 'x-api-key': 'hunter2' } })
  expect(line).not.toContain('hunter2')
  expect(err).toEqual({ type: 'string', message: 'not an Error' })
})
