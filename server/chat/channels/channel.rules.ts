import type { ChannelKind } from '#contract/chat/shapes.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import type { ChannelRow } from './channel.access.ts'

/** The fields of a channel that an update may change. */
export type ChannelFields = Pick<ChannelRow, 'name' | 'description' | 'is_discoverable'>

const wireNames = { name: 'name', description: 'description', is_discoverable: 'isDiscoverable' } as const

/** The wire names of the fields that differ. */
export function changedFields(before: ChannelFields, after: ChannelFields): string[] {
  return changedFieldNames(wireNames, before, after)
}

/** Only channels may be listed in the directory. Refuses VALIDATION_ERROR. */
export function assertMayBeDiscoverable(kind: ChannelKind, isDiscoverable: boolean): void {
  if (kind !== 'CHANNEL' && isDiscoverable) {
    const message = 'Only a channel can be discoverable'
    fail('VALIDATION_ERROR', { details: [{ path: 'isDiscoverable', code: 'INVALID', message }] })
  }
}

/** Identifies the direct conversation of a set of people, of which there is one. */
export function directKey(personIds: readonly string[]): string {
  return [...new Set(personIds)].sort().join(' ')
}
