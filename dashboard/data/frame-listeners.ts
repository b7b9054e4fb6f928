import { useEffect, useRef } from 'react'
import type { StreamEvent } from '#sdk/stream.ts'
import { useOrganization } from './organization.tsx'

type Listener = (frame: Pick<StreamEvent, 'event' | 'data'>) => void
const listeners = new Map<string, Set<Listener>>()

/** Hands a frame to the components that keep rows of their own, such as the messages of a channel. */
export function notifyFrameListeners(organizationId: string, frame: Parameters<Listener>[0]): void {
  for (const listener of listeners.get(organizationId) ?? []) listener(frame)
}

/**
 * Calls a function with every frame of the organization while a component is shown. For screens whose rows are not in
 * the cache; all others follow `frames.rules.ts`. After `resync`, whatever was read may be out of date.
 */
export function useFrames(listener: Listener): void {
  const { id } = useOrganization()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const own: Listener = frame => latest.current(frame)
    const ofOrganization = listeners.get(id) ?? new Set()
    listeners.set(id, ofOrganization.add(own))
    return () => void ofOrganization.delete(own)
  }, [id])
}
