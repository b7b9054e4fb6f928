import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { RouterProvider } from 'react-aria-components'
import { usePreferences } from '../data/preferences.tsx'
import { listenToShortcuts } from '../data/shortcuts.ts'
import { SingleKeysContext } from '../parts/shortcuts.ts'

/** Around every page: links of menus and buttons stay inside the application, and the keyboard is listened to. */
export function Root() {
  const router = useRouter()
  const { singleKeyShortcuts } = usePreferences().preferences
  useEffect(listenToShortcuts, [])
  return (
    <RouterProvider navigate={href => void router.navigate({ href })}>
      <SingleKeysContext value={singleKeyShortcuts}>
        <Outlet />
      </SingleKeysContext>
    </RouterProvider>
  )
}
