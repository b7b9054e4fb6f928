import { expect, it } from 'vitest'
import { textOf } from './file-text.rules.ts'

it('reads UTF-8 as a text, and nothing else', () => {
  expect(textOf(new TextEncoder().encode('áé\n'))).toEqual({ kind: 'text', text: 'áé\n' })
  expect(textOf(new Uint8Array([0xff, 0xfe, 0x41]))).toEqual({ kind: 'binary' })
  expect(textOf(new Uint8Array([0x41, 0, 0x42]))).toEqual({ kind: 'binary' })
})
