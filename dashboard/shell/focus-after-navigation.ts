import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isBehindDialog } from '../data/shortcuts.ts'

/**
 * After a navigation, the focus goes to the heading of the new screen, also where the same component shows
 * another object. It stays where it is when only the filters in the address change, and in a dialog that
 * the new screen has opened.
 */
export function useFocusAfterNavigation(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!fromLocation || !pathChanged || isBehindDialog()) return
        document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true })
      }),
    [router],
  )
}
