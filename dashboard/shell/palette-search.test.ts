import { expect, it } from 'vitest'
import { searchCommands } from './palette-search.ts'

const items = [
  { id: 'home', label: 'Inicio', keywords: 'Home' },
  { id: 'members', label: 'Miembros', keywords: 'Members' },
  { id: 'invoices', label: 'Facturas', keywords: 'Invoices' },
  { id: 'reconciliation', label: 'Conciliación', keywords: 'Reconciliation' },
]
const idsFor = (text: string, recent: string[] = []) =>
  searchCommands(items, text, recent).map(({ id }) => id)

it('finds in both languages, without accents, and by letters in their order', () => {
  expect(idsFor('fact')).toEqual(['invoices'])
  expect(idsFor('invo')).toEqual(['invoices'])
  expect(idsFor('conciliacion')[0]).toBe('reconciliation')
  expect(idsFor('mbr')).toEqual(['members'])
  expect(idsFor('zzz')).toEqual([])
})

it('puts the beginning of a name before its middle', () => {
  expect(idsFor('in')[0]).toBe('home')
})

it('shows what was used last first as long as nothing is typed', () => {
  expect(idsFor('', ['invoices', 'members'])).toEqual(['invoices', 'members', 'home', 'reconciliation'])
})
