import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { askPassword } from './ask-password.ts'

/** Opens the question on a pipe, or on a terminal when `isTTY`. */
function open(isTTY: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough({ encoding: 'utf8' })
  const shown = () => (output.read() as string | null) ?? ''
  return { input, shown, answer: askPassword(input, output) }
}

test.each([
  ['one line\n', 'one line'],
  ['one line\nand another one\n', 'one line'],
  [' spaces count \r\n', ' spaces count '],
  ['no end of line', 'no end of line'],
  ['Ñandú\n', 'Ñandú'],
])('from a pipe %j one line is read', async (text, password) => {
  const { input, answer, shown } = open(false)
  input.end(text)
  expect(await answer).toBe(password)
  expect(shown()).toBe('')
})

test('does not wait for an open pipe', async () => {
  const { input, answer } = open(false)
  input.write('one line\n')
  expect(await answer).toBe('one line')
  expect(input.destroyed).toBe(true)
})

test.each(['', '\n', '\nsecond line\n'])('a pipe with %j has no password', async text => {
  const { input, answer } = open(false)
  input.end(text)
  await expect(answer).rejects.toThrow('No password')
})

test('a terminal asks twice and does not show the input', async () => {
  const { input, answer, shown } = open(true)
  input.write('Vierzig blaue Traktoren\r')
  input.write('Vierzig blaue Traktoren\r')
  expect(await answer).toBe('Vierzig blaue Traktoren')
  const text = shown()
  expect(text).toMatch(/^Password .*: \nRepeat the password: \n$/)
  expect(text).not.toContain('Traktoren')
})

test('different passwords or an ended input create nothing', async () => {
  const different = open(true)
  different.input.write('Vierzig blaue Traktoren\r')
  different.input.write('Vierzig blaue Traktorne\r')
  await expect(different.answer).rejects.toThrow('differ')
  const ended = open(true)
  ended.input.write('Vierzig blaue Traktoren\r')
  ended.input.end()
  await expect(ended.answer).rejects.toThrow('No password')
})
