import { expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { namesIn, namesProblem } from './secret-names.rules.ts'

test('names are lines, each once; the first that the server would refuse is named', () => {
  expect(namesIn(' nif \n\nCustomer TIN\nnif')).toEqual(['nif', 'Customer TIN'])
  expect(namesProblem(['nif', 'Customer TIN'])).toBeUndefined()
  expect(namesProblem(['nif', '--'])).toEqual({ kind: 'invalid', name: '--' })
  expect(namesProblem(['x'.repeat(limits.secretName + 1)])).toMatchObject({ kind: 'invalid' })
  const many = Array.from({ length: limits.secretNames + 1 }, (_, at) => `n${at}`)
  expect(namesProblem(many)).toEqual({ kind: 'tooMany' })
})
