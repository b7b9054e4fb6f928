import { expect, test } from 'vitest'
import type { AnyAsset } from './asset.ts'
import { changedDetails, tagsIn } from './details.rules.ts'

const asset = {
  name: 'Plan a week',
  slug: 'plan-a-week',
  tags: ['team', 'plans'],
  visibility: 'DEPARTMENT',
  departments: ['a', 'b'],
} as unknown as AnyAsset
const same = { ...asset, tags: 'Team, plans , team' }

test('tags are in lower case, each once', () => {
  expect(tagsIn(' Team,plans ,,team')).toEqual(['team', 'plans'])
})

test('only what differs is sent', () => {
  expect(changedDetails(asset, same)).toEqual({})
  expect(changedDetails(asset, { ...same, name: ' Plan ', departments: ['b', 'a'] })).toEqual({
    name: 'Plan',
  })
  expect(changedDetails(asset, { ...same, departments: ['b'], tags: '' })).toEqual({
    departments: ['b'],
    tags: [],
  })
  expect(changedDetails(asset, { ...same, visibility: 'PRIVATE', departments: [] })).toEqual({
    visibility: 'PRIVATE',
  })
})
