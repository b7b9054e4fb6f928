import { expect, it } from 'vitest'
import { events } from '#contract/events.ts'
import { defined } from '#tests/support/elements.ts'
import { patchRows } from './frames.patch.ts'
import { frameRules } from './frames.rules.ts'

it('every frame of the contract has a line, which does something', () => {
  const frames = Object.values(events).flatMap(({ frame }) => (frame === null ? [] : [frame]))
  expect(frames.filter(frame => !(frame in frameRules))).toEqual([])
  const data = {
    ids: ['a'],
    assetId: 'a',
    entryId: 'a',
    reviewId: 'a',
    channelId: 'a',
    messageId: 'a',
    agentId: 'a',
  }
  for (const frame of frames) expect(frameRules[frame]?.(data), frame).not.toHaveLength(0)
})

it('a detail becomes stale for the object alone, by a parameter of its path', () => {
  const data = {
    ids: ['a', 'b'],
    createdIds: ['b'],
    assetId: 'a',
    channelId: 'a',
    messageId: 'a',
    agentId: 'a',
  }
  for (const [frame, rule] of Object.entries(frameRules))
    for (const effect of rule(data))
      if (effect.kind === 'stale')
        for (const name of Object.keys(effect.params ?? {}))
          expect(effect.operation.path, `${frame}: ${effect.operation.path}`).toContain(`:${name}`)
})

it('only new rows wait; a change among them makes the list stale', () => {
  const rule = defined(frameRules['lead-changed'])
  expect(rule({ ids: ['a'], createdIds: ['a'] })[0]).toMatchObject({ newIds: ['a'] })
  expect(rule({ ids: ['a', 'b'], createdIds: ['a'] })[0]).not.toHaveProperty('newIds')
})

it('a change of an asset concerns only the parts that it names', () => {
  const rule = defined(frameRules['asset-updated'])
  const pathsOf = (changes: string[]) =>
    rule({ assetId: 'a', changes }).flatMap(effect =>
      effect.kind === 'stale' ? [effect.operation.path] : [],
    )
  expect(pathsOf(['files'])).toContain('/assets/:id/versions/:version/files')
  expect(pathsOf(['name'])).not.toContain('/assets/:id/versions/:version/files')
  expect(pathsOf(['collectionIds'])).toContain('/collections')
})

it('writes values into a reply, into rows, and into rows of pages', () => {
  const row = { id: 'a', usageCount: 1 }
  const other = { id: 'b', usageCount: 5 }
  expect(patchRows(row, 'a', { usageCount: 2 })).toEqual({ id: 'a', usageCount: 2 })
  const pages = { pages: [{ items: [other] }, { items: [row] }], pageParams: [] }
  const patched = patchRows(pages, 'a', { usageCount: 2 }) as typeof pages
  expect(patched.pages[1]).toEqual({ items: [{ id: 'a', usageCount: 2 }] })
  // what did not change stays the same object, so that it is not drawn again
  expect(patched.pages[0]).toBe(pages.pages[0])
  expect(patchRows(pages, 'c', { usageCount: 2 })).toBe(pages)
})
