import { expect, test } from 'vitest'
import { complaint } from './fuzz.ts'
import { type OperationCase, operationCases } from './operations.ts'

// tests/long uses every operation and many more values

test('an undeclared reply is found', async () => {
  const operation = (await operationCases()).find(({ name }) => name === 'getRole') as OperationCase
  const answer = (status: number, body: object | string, type = 'application/json; charset=utf-8') => ({
    status,
    headers: new Headers({ 'content-type': type }),
    text: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const standard = { statusCode: 404, error: 'Not Found', message: 'There is none.' }
  expect(complaint(operation, answer(200, {}))).toBeUndefined()
  expect(complaint(operation, answer(404, { ...standard, errorCode: 'ROLE_NOT_FOUND' }))).toBeUndefined()
  for (const bad of [
    answer(500, standard),
    answer(201, {}),
    answer(404, { ...standard, errorCode: 'ASSET_NOT_FOUND' }),
    answer(404, standard),
    answer(404, { ...standard, statusCode: 400, errorCode: 'ROLE_NOT_FOUND' }),
    answer(404, { ...standard, errorCode: 'ROLE_NOT_FOUND', stack: 'at x' }),
    answer(404, { ...standard, errorCode: 'ROLE_NOT_FOUND', details: 'no list' }),
    answer(404, { ...standard, message: ['a list'], errorCode: 'ROLE_NOT_FOUND' }),
    answer(404, 'Not found', 'text/plain'),
    answer(404, '<html>'),
  ]) {
    expect(complaint(operation, bad)).toBeDefined()
  }
})
