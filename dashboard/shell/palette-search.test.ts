import { expect, it } from 'vitest'
import { searchCommands } from './palette-search.ts'

const items = [
  { id: 'home', label: 'Home', keywords: 'Inicio' },
  { id: 'members', label: 'Members', keywords: 'Miembros' },
  { id: 'invoices', label: 'Invoices', keywords: 'Facturas' },
  { id: 'new-invoice', label: 'New invoice…', keywords: 'Nueva factura…' },
  { id: 'reconciliation', label: 'Reconciliation', keywords: 'Conciliación' },
]
const idsFor = (text: string, recent: string[] = []) =>
  searchCommands(items, text, recent).map(({ id }) => id)

it('finds in both languages, without accents, and by letters in their order', () => {
  expect(idsFor('fact')).toEqual(['invoices', 'new-invoice'])
  expect(idsFor('conciliacion')[0]).toBe('reconciliation')
  expect(idsFor('mbr')).toEqual(['members'])
  expect(idsFor('zzz')).toEqual([])
})

it('puts labels with a word that begins so before those that are found in the other language', () => {
  expect(idsFor('in').slice(0, 3)).toEqual(['invoices', 'new-invoice', 'home'])
})

it('finds by the beginnings of several words in any order', () => {
  expect(idsFor('new inv')).toEqual(['new-invoice'])
  expect(idsFor('inv new')).toEqual(['new-invoice'])
})

it('puts what was used last first among those that fit equally well, but not before a whole label', () => {
  expect(idsFor('in', ['new-invoice']).slice(0, 2)).toEqual(['new-invoice', 'invoices'])
  expect(idsFor('in', ['home'])[0]).toBe('invoices')
  expect(idsFor('invoices', ['new-invoice'])[0]).toBe('invoices')
})

it('shows what was used last first as long as nothing is typed', () => {
  expect(idsFor('', ['invoices', 'members']).slice(0, 3)).toEqual(['invoices', 'members', 'home'])
})
