import { expect, test } from 'vitest'
import {
  areaServicesOf,
  membershipListenerOf,
  personalDataOf,
  recipientsResolverOf,
} from './area-listeners.ts'
import type { Config } from './config.ts'
import { noRecipients } from './platform/events/recipients-resolver.ts'

test('one area at most resolves the recipients of restricted events', () => {
  const resolver = { ...noRecipients }
  const areas = [{ name: 'crm' }, { name: 'chat', recipients: resolver }]
  expect(recipientsResolverOf(areas)).toBe(resolver)
  expect(recipientsResolverOf([{ name: 'crm' }])).toBe(noRecipients)
  expect(() => recipientsResolverOf([...areas, { name: 'studio', recipients: noRecipients }])).toThrow(
    'Several areas resolve recipients: chat, studio',
  )
})

test('a change of memberships reaches the listeners of all areas, one after another', async () => {
  const calls: string[] = []
  const listenerOf = (name: string) => ({
    membershipListener: {
      async membershipChanged() {
        calls.push(`${name} starts`)
        await Promise.resolve()
        calls.push(`${name} ends`)
      },
    },
  })
  const listener = membershipListenerOf([listenerOf('studio'), {}, listenerOf('chat')])
  await listener.membershipChanged({} as never, {} as never, null)
  await listener.unitLeft({} as never, {} as never, 'person', 'unit')
  expect(calls).toEqual(['studio starts', 'studio ends', 'chat starts', 'chat ends'])
})

test('the personal data of a person has the lists of all areas', async () => {
  const areaWith = (list: string) => ({
    personalData: {
      export: async () => ({ [list]: [{ id: `${list} 1` }] }),
      erase: async () => ({ [list]: [{ id: '1', reference: list, retainedBecause: null }] }),
    },
  })
  const data = personalDataOf([areaWith('mandates'), areaWith('letters')])
  expect(Object.keys(await data.export({} as never, {} as never, {} as never))).toEqual([
    'mandates',
    'letters',
  ])
  expect(Object.keys(await data.erase({} as never, {} as never))).toEqual(['mandates', 'letters'])
})

test('the services that areas add are made from the settings', () => {
  const areas = [
    { services: ({ publicUrl }: Config) => ({ headerPrefix: publicUrl }) },
    {},
    { services: () => ({ maxFileBytes: 1 }) },
  ]
  const config = { publicUrl: 'https://patio.example' } as Config
  expect(areaServicesOf(areas, config)).toEqual({ headerPrefix: 'https://patio.example', maxFileBytes: 1 })
})
