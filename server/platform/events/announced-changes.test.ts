import { describe, expect, it } from 'vitest'
import type { EventName } from '#contract/events.ts'
import { itemAt, only } from '#tests/support/elements.ts'
import type { Tx } from '../data/db.ts'
import { announceChange, selectForPeople } from './announced-changes.ts'
import { emit } from './emit.ts'
import type { StoredEvent } from './relay.sql.ts'

let seq = 0
function stored(name: EventName, data: object, more: Partial<StoredEvent> = {}): StoredEvent {
  seq++
  const at = new Date(seq).toISOString()
  return {
    seq,
    id: `e${seq}`,
    name,
    actor_id: 'p1',
    data: { ...data },
    at,
    recipients: null,
    about: null,
    ...more,
  }
}
const lead = (leadId: string, more: Partial<StoredEvent> = {}) => stored('LEAD_UPDATED', { leadId }, more)
const dataOf = (events: StoredEvent[]) => events.map(({ name, data }) => [name, data])

describe("the events of the people's stream", () => {
  it('contain only ids of an event for applications, and nothing that decides who receives it', () => {
    const secret = { leadId: 'l1', changes: [{ field: 'score', from: 1, to: 2 }] }
    const event = only(selectForPeople([stored('LEAD_UPDATED', secret, { about: { part: 'whole' } })]))
    expect(event).toMatchObject({ name: 'lead.changed', actor_id: 'p1', data: { ids: ['l1'] }, about: null })
    expect(Object.keys(event.data)).toEqual(['ids'])
  })

  it('say once what applications receive in two parts, and what was created or removed', () => {
    const page = [
      stored('LEAD_CREATED', { leadId: 'l1' }),
      lead('l1', { about: { part: 'whole' } }),
      lead('l1', { about: { part: 'rest' } }),
      stored('LEAD_ERASED', { leadId: 'l2' }),
    ]
    const event = only(selectForPeople(page))
    expect(event).toMatchObject({ seq: itemAt(page, 3).seq, at: itemAt(page, 3).at })
    expect(event.data).toEqual({ ids: ['l1', 'l2'], createdIds: ['l1'], removedIds: ['l2'] })
  })

  it('name the application of an error', () => {
    const reported = stored('ERROR_REPORTED', { errorId: 'e1' }, { about: { applicationId: 'a1' } })
    const resolved = stored('ERROR_RESOLVED', { errorId: 'e2' }, { about: { applicationId: 'a2' } })
    expect(dataOf(selectForPeople([reported, resolved]))).toEqual([
      ['error.changed', { ids: ['e1', 'e2'], createdIds: ['e1'], parentIds: ['a1', 'a2'] }],
    ])
  })

  it('stay apart at the position of a subscriber, who has received the first of them', () => {
    const page = [lead('l1'), lead('l2'), lead('l3')]
    const idsAt = (...positions: number[]) =>
      selectForPeople(page, positions).map(({ seq, data }) => [seq, (data as { ids: string[] }).ids])
    expect(idsAt(itemAt(page, 1).seq)).toEqual([
      [itemAt(page, 1).seq, ['l1', 'l2']],
      [itemAt(page, 2).seq, ['l3']],
    ])
    expect(idsAt(itemAt(page, 2).seq)).toEqual([[itemAt(page, 2).seq, ['l1', 'l2', 'l3']]])
  })

  it('merge only successive changes of one kind, so that no cursor passes an event that was not sent', () => {
    const page = [lead('l1'), lead('l2'), stored('chat.message.created', { messageId: 'm' }), lead('l3')]
    const events = selectForPeople(page)
    expect(events.map(({ seq }) => seq)).toEqual([
      itemAt(page, 1).seq,
      itemAt(page, 2).seq,
      itemAt(page, 3).seq,
    ])
    expect(dataOf(events)).toEqual([
      ['lead.changed', { ids: ['l1', 'l2'] }],
      ['chat.message.created', { messageId: 'm' }],
      ['lead.changed', { ids: ['l3'] }],
    ])
  })

  it('name no actor when several people acted', () => {
    const event = only(selectForPeople([lead('l1'), lead('l2', { actor_id: 'p2' })]))
    expect(event.actor_id).toBeNull()
  })

  it('carry up to 100 ids', () => {
    const events = selectForPeople(Array.from({ length: 201 }, (_, n) => lead(`l${n}`)))
    expect(events.map(({ data }) => (data.ids as string[]).length)).toEqual([100, 100, 1])
  })

  it('leave events alone that name their recipients, and leave out those for applications alone', () => {
    const own = () => stored('own-access.changed', { ids: ['p1'] }, { recipients: ['o1/p1'] })
    expect(selectForPeople([own(), own(), stored('WEBHOOK_TEST', { message: 'x' })])).toHaveLength(2)
  })
})

describe('the announcement of an operation', () => {
  const created = { announces: { event: 'invoice.changed', change: 'created' } } as const
  const announcedAfter = (ids: string[], more: object = {}) => {
    const tx = { pending: { events: [] as { name: string; data: unknown }[] } } as unknown as Tx
    emit(tx, { personId: 'p1' }, 'invoice.changed', { ids, ...more })
    announceChange(tx, { personId: 'p1' }, created, { subject: 'i1' })
    return tx.pending.events.map(({ data }) => data)
  }

  it('completes what was announced of the same object, and leaves what says more', () => {
    expect(announcedAfter(['i1'])).toEqual([{ ids: ['i1'], createdIds: ['i1'] }])
    expect(announcedAfter(['i2'])).toEqual([{ ids: ['i2'] }])
    expect(announcedAfter(['i1', 'i2'])).toEqual([{ ids: ['i1', 'i2'] }])
    expect(announcedAfter(['i1'], { removedIds: ['i1'] })).toEqual([{ ids: ['i1'], removedIds: ['i1'] }])
  })
})
