import { expect, it } from 'vitest'
import { channelName, managesChannel, roleIn } from '../channel.rules.ts'
import { assignableRoles, isOnlyOwner, isOwnerless, mayAssign } from './member.rules.ts'

it('an owner gives every role, an administrator of the channel that of a member, a member none (CHN-13)', () => {
  expect(assignableRoles('OWNER')).toEqual(['MEMBER', 'ADMIN', 'OWNER'])
  expect(assignableRoles('ADMIN')).toEqual(['MEMBER'])
  expect(assignableRoles('MEMBER')).toEqual([])
  expect(assignableRoles(null)).toEqual([])
  expect(mayAssign('ADMIN', 'OWNER')).toBe(false)
})

it('an administrator of the organization manages channels and groups like an owner, and no conversations', () => {
  const administrator = { isAdministrator: true }
  const member = { isAdministrator: false }
  expect(roleIn(administrator, { role: null })).toBe('OWNER')
  expect(managesChannel(administrator, { type: 'GROUP', role: null })).toBe(true)
  expect(managesChannel(administrator, { type: 'DIRECT', role: 'MEMBER' })).toBe(false)
  expect(managesChannel(member, { type: 'CHANNEL', role: 'ADMIN' })).toBe(true)
  expect(managesChannel(member, { type: 'CHANNEL', role: 'MEMBER' })).toBe(false)
})

it('knows the only owner, and a channel without one', () => {
  const ada = { id: 'a', role: 'OWNER' as const }
  const bo = { id: 'b', role: 'OWNER' as const }
  const mei = { id: 'm', role: 'MEMBER' as const }
  expect(isOnlyOwner([ada, mei], ada)).toBe(true)
  expect(isOnlyOwner([ada, bo, mei], ada)).toBe(false)
  expect(isOnlyOwner([ada, mei], mei)).toBe(false)
  expect(isOwnerless([mei])).toBe(true)
  expect(isOwnerless([ada, mei])).toBe(false)
  expect(isOwnerless([])).toBe(false)
})

it('a direct conversation is named after its people', () => {
  const people = [
    { id: 'a', displayName: 'Ada' },
    { id: 'b', displayName: 'Bo' },
  ]
  expect(channelName({ name: null, people })).toBe('Ada, Bo')
  expect(channelName({ name: 'Support', people: null })).toBe('Support')
})
