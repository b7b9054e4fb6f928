import { describe, expect, it } from 'vitest'
import { detectContentType } from './content-type.ts'

describe('the content type', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  it.each<[string, Buffer | string, string, string]>([
    ['an image with any name', png, 'notes.txt', 'image/png'],
    ['text with an extension', '# Title', 'README.md', 'text/markdown'],
    ['text without an extension', 'hello', 'LICENSE', 'text/plain'],
    ['text with an unknown extension', 'hello', 'a.xyz', 'text/plain'],
    ['a script', '#!/bin/sh\necho\n', 'run.SH', 'application/x-sh'],
    ['text that starts like an image', 'BMW is a car maker', 'cars.md', 'text/markdown'],
    ['text that starts like a program', 'MZ means Mark Zbikowski', 'x', 'text/plain'],
    ['text with the extension of an image', 'not a picture', 'photo.png', 'text/plain'],
    ['a document format that starts with text', '%PDF-1.7\n', 'x.txt', 'application/pdf'],
    ['markup that can contain scripts', '<script>', 'x.svg', 'image/svg+xml'],
    ['nothing', '', 'x.json', 'application/json'],
    ['bytes', Buffer.from([0, 1, 2, 3]), 'x.html', 'application/octet-stream'],
    ['Latin-1', Buffer.from('caf\xe9', 'latin1'), 'x.txt', 'application/octet-stream'],
  ])('is detected from %s', async (_what, content, name, kind) => {
    const bytes = Buffer.from(content as string)
    expect(await detectContentType(bytes, bytes.length, name)).toBe(kind)
  })

  it('is detected from a head that ends inside a character', async () => {
    const whole = Buffer.from('é'.repeat(3_000))
    expect(await detectContentType(whole.subarray(0, 4_099), whole.length, 'a.md')).toBe('text/markdown')
    expect(await detectContentType(whole.subarray(0, 4_099), 4_099, 'a.md')).toBe('application/octet-stream')
  })
})
