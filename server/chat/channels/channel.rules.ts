import type { ChannelKind } from '#contract/chat/shapes.ts'
import { fail } from '#platform/fail.ts'
import type { ChannelRow } from './channel.access.ts'

/** What can be changed of a channel. */
export type ChannelFields = Pick<ChannelRow, 'name' | 'description' | 'is_discoverable'>

const wireNames = { name: 'name', description: 'description', is_discoverable: 'isDiscoverable' } as const

/** The fields that differ, by their names on the wire. */
export function changedFields(before: ChannelFields, after: ChannelFields): string[] {
  const columns = Object.keys(wireNames) as (keyof ChannelFields)[]
  return columns.filter(column => before[column] !== after[column]).map(column => wireNames[column])
}

/** Only channels stand in the directory. Refuses VALIDATION_ERROR. */
export function assertMayBeDiscoverable(kind: ChannelKind, isDiscoverable: boolean): void {
  if (kind !== 'CHANNEL' && isDiscoverable) {
    const message = 'Only a channel can stand in the directory'
    fail('VALIDATION_ERROR', { details: [{ path: 'isDiscoverable', code: 'INVALID', message }] })
  }
}

/** What stands for the people of a direct conversation: there is one for the same people. */
export function directKey(personIds: readonly string[]): string {
  return [...new Set(personIds)].sort().join(' ')
}
