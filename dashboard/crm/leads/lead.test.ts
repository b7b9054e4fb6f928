import { expect, it } from 'vitest'
import { boardSearchOf, columnInputOf, columnSearchOf } from './board-columns.ts'
import { nameOfLead, statusesFor, withoutRepeated } from './lead.ts'
import { bodyOf, differingFields, emptyDraft, rebased } from './lead-draft.ts'
import { leadFiltersOf, leadSearchOf, listInputOf, searchInputOf } from './lead-search.ts'

it('calls a lead by its person, else company, e-mail or telephone', () => {
  const none = { firstName: null, lastName: null, company: null, email: null, phone: null }
  expect(nameOfLead({ ...none, firstName: 'Sara', lastName: 'Vidal', company: 'Vitrina' })).toBe('Sara Vidal')
  expect(nameOfLead({ ...none, company: 'Vitrina', email: 'a@b.es' })).toBe('Vitrina')
  expect(nameOfLead({ ...none, phone: '600' })).toBe('600')
  expect(nameOfLead(none)).toBe('–')
})

it('offers the statuses that one of the leads can get', () => {
  expect(statusesFor([{ status: 'NEW' }])).toEqual(['CONTACTED', 'QUALIFIED', 'LOST'])
  expect(statusesFor([{ status: 'LOST' }, { status: 'QUALIFIED' }])).toEqual(['NEW', 'NEGOTIATING', 'LOST'])
  expect(statusesFor([{ status: 'WON' }])).toEqual([])
})

it('shows a row once that moved to the next page while the list was read', () => {
  const rows = [{ id: 'a' }, { id: 'b' }, { id: 'a' }]
  expect(withoutRepeated(rows).map(({ id }) => id)).toEqual(['a', 'b'])
  const unique = [{ id: 'a' }]
  expect(withoutRepeated(unique)).toBe(unique)
})

it('takes the known filters out of an address and ignores the rest', () => {
  expect(leadSearchOf({ status: 'LOST,SOLD,NEW', stage: 5, order: 'asc', open: 'x', page: 2 })).toEqual({
    status: 'NEW,LOST',
    stage: '5',
    open: 'x',
  })
  expect(leadFiltersOf({ status: ['WON'], orderBy: 'score', order: 'asc', temperature: 'TEPID' })).toEqual({
    status: 'WON',
    orderBy: 'score',
    order: 'asc',
  })
})

it('lists the open leads unless a status is chosen, and searches from two characters on', () => {
  expect(listInputOf({}).query.status).toEqual(['NEW', 'CONTACTED', 'QUALIFIED', 'NEGOTIATING'])
  expect(listInputOf({ status: 'LOST,WON' }).query.status).toEqual(['LOST', 'WON'])
  expect(searchInputOf({ q: ' v ' })).toBeUndefined()
  expect(searchInputOf({ q: ' vi ', includeClosed: 'true' })?.query).toMatchObject({
    q: 'vi',
    includeClosed: true,
  })
})

it('sends the changed fields alone, and clears those that were emptied', () => {
  const draft = { ...emptyDraft, email: ' sara@b.es ', stage: '', score: 0 }
  const fields = differingFields({ ...emptyDraft, stage: 'Offer' }, draft)
  expect(bodyOf(draft, fields)).toEqual({ email: 'sara@b.es', stage: null, score: 0 })
})

it('after a conflict keeps what was typed and takes over what was not touched', () => {
  const base = { ...emptyDraft, stage: 'Offer', company: 'Vitrina', source: 'Fair' }
  const mine = { ...base, stage: 'Signed', source: 'Web' }
  const theirs = { ...base, stage: 'Lost', company: 'Vitrina SL', source: 'Web' }
  expect(rebased({ base, mine, theirs })).toEqual({
    draft: { ...theirs, stage: 'Signed' },
    changed: ['company', 'source', 'stage'],
    conflicts: ['stage'],
  })
})

it('keeps the filters of a view in the address of the board, and lists each column by its status', () => {
  const search = boardSearchOf({ status: 'NEW', temperature: 'HOT', orderBy: 'score', view: 'v', open: 'x' })
  expect(search).toEqual({ status: 'NEW', temperature: 'HOT', orderBy: 'score', view: 'v' })
  expect(columnInputOf('LOST', search).query).toEqual({
    temperature: 'HOT',
    status: ['LOST'],
    orderBy: 'updatedAt',
    include: ['scoring'],
  })
  expect(columnSearchOf('LOST', search)).toBeUndefined()
  expect(columnSearchOf('LOST', { q: ' vi ' })?.query).toMatchObject({ q: 'vi', status: ['LOST'] })
})
