import './styles/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { submitFormsWithControlEnter } from './data/control-enter.ts'
import { PreferencesProvider } from './data/preferences.tsx'
import { queryClient } from './data/query-client.ts'
import { Toasts } from './parts/toasts.tsx'
import { loadLateRoutes, preloadScreen, router } from './routes.tsx'

/** The other areas are ready before most people open one. */
const lateRoutesMs = 2_000

// before the first text, which is otherwise laid out twice: without the font, and with it
void document.fonts.load('14px "Geist Variable"')
preloadScreen()
submitFormsWithControlEnter()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <PreferencesProvider>
        <RouterProvider router={router} />
        <Toasts />
      </PreferencesProvider>
    </QueryClientProvider>
  </StrictMode>,
)

/** Loads the addresses of the later areas once nothing that the first screen needs is on its way. */
function loadLateRoutesWhenIdle(): void {
  if (router.state.isLoading || queryClient.isFetching() > 0) {
    setTimeout(loadLateRoutesWhenIdle, lateRoutesMs)
    return
  }
  // a failure shows itself when one of them is opened
  void loadLateRoutes().catch(() => {})
}
setTimeout(loadLateRoutesWhenIdle, lateRoutesMs)
