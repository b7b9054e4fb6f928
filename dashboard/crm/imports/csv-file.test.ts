import { expect, it } from 'vitest'
import { defined, only } from '#tests/support/elements.ts'
import { csvOfLines, decodedCsv, parsedCsv } from './csv-file.ts'

const fileOf = (text: string) => defined(parsedCsv(text))

it('finds columns and lines, with quotes, line breaks in values, and empty lines', () => {
  const file = fileOf('Nombre; "E-mail" ;Nota\r\nSara;sara@b.es;"dos\nlíneas; y ""comillas"""\n\nJon;;\n')
  expect(fileOf('"E-mail";Nota\n').columns).toEqual(['E-mail', 'Nota'])
  expect(file.records.map(({ line, values }) => [line, values])).toEqual([
    [2, ['Sara', 'sara@b.es', 'dos\nlíneas; y "comillas"']],
    [5, ['Jon', '', '']],
  ])
})

it('counts the line that names the separator', () => {
  const file = fileOf('sep=,\nemail,phone\na@b.es,600\n')
  expect(file.columns).toEqual(['email', 'phone'])
  expect(only(file.records).line).toBe(3)
  expect(parsedCsv('\n')).toBeUndefined()
})

it('writes the faulty lines with their header, as the file has them', () => {
  const file = fileOf('email,name\n"a@b.es",Ana\nwrong,"Bo, B"\n')
  expect(csvOfLines(file, new Set([3]))).toBe('email,name\r\nwrong,"Bo, B"\r\n')
})

it('reads UTF-8, UTF-16 and Windows-1252', () => {
  expect(decodedCsv(new TextEncoder().encode('\uFEFFMóvil'))).toBe('Móvil')
  expect(decodedCsv(Uint8Array.of(0xff, 0xfe, 0x4d, 0, 0xf3, 0))).toBe('Mó')
  expect(decodedCsv(Uint8Array.of(0x4d, 0xf3))).toBe('Mó')
})
