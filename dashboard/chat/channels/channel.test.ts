import { expect, it } from 'vitest'
import type { OwnChannel } from '#contract/chat/channels.ts'
import { channelName } from '../channel.rules.ts'
import { attentionIn, inOrderOf, inSections, mentionCounts, nextUnread } from './channel.rules.ts'

const channel = (id: string, part: Partial<OwnChannel> = {}) =>
  ({
    id,
    name: id,
    type: 'CHANNEL',
    unreadCount: 0,
    readSeq: 5,
    notification: 'ALL',
    people: null,
    ...part,
  }) as OwnChannel
const idsOf = (channels: readonly OwnChannel[]) => channels.map(({ id }) => id)

it('names a direct conversation by the other people in it', () => {
  const people = [
    { id: 'c1', displayName: 'Mei' },
    { id: 'c2', displayName: 'Amir' },
  ]
  expect(channelName({ name: null, people }, 'nobody')).toBe('Mei, Amir')
  expect(channelName({ name: null, people: [] }, 'nobody')).toBe('nobody')
  expect(channelName({ name: 'Support', people: null }, 'nobody')).toBe('Support')
})

it('keeps the order of before, with new channels at the end', () => {
  const channels = [channel('new'), channel('b'), channel('a')]
  expect(idsOf(inOrderOf(['a', 'b', 'gone'], channels))).toEqual(['a', 'b', 'new'])
})

it('puts each kind into its section', () => {
  const sections = inSections([
    channel('g', { type: 'GROUP' }),
    channel('d', { type: 'DIRECT' }),
    channel('c'),
  ])
  expect([idsOf(sections.channels), idsOf(sections.portal), idsOf(sections.direct)]).toEqual([
    ['g', 'c'],
    [],
    ['d'],
  ])
})

it('counts the unread mentions of each channel', () => {
  const mention = (channelId: string, seq: number) => ({ channelId, seq, deletedAt: null })
  const counts = mentionCounts(
    [mention('a', 6), mention('a', 5), mention('b', 9), mention('left', 9)],
    [channel('a'), channel('b', { readSeq: 9 })],
  )
  expect([...counts]).toEqual([['a', 1]])
})

it('asks for attention as the person chose', () => {
  expect(attentionIn({ notification: 'ALL', unreadCount: 4 }, 1)).toBe(4)
  expect(attentionIn({ notification: 'MENTIONS', unreadCount: 4 }, 1)).toBe(1)
  expect(attentionIn({ notification: 'NONE', unreadCount: 4 }, 1)).toBe(0)
})

it('leads to the next unread channel, around the list, and to muted ones last', () => {
  const muted = channel('m', { unreadCount: 1, notification: 'NONE' })
  const channels = [channel('a', { unreadCount: 2 }), channel('b'), muted, channel('c', { unreadCount: 1 })]
  expect(nextUnread(channels, 'b')?.id).toBe('c')
  expect(nextUnread(channels, 'c')?.id).toBe('a')
  expect(nextUnread(channels, undefined)?.id).toBe('a')
  expect(nextUnread([channel('a', { unreadCount: 1 }), muted], 'a')?.id).toBe('m')
  expect(nextUnread([channel('a', { unreadCount: 1 })], 'a')).toBeUndefined()
})
