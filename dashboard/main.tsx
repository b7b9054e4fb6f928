import './styles/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { submitFormsWithControlEnter } from './data/control-enter.ts'
import { firstScreen, watchFirstScreen } from './data/first-screen.ts'
import { watchNavigation } from './data/own-work.ts'
import { PreferencesProvider } from './data/preferences.tsx'
import { queryClient } from './data/query-client.ts'
import { Toasts } from './parts/toasts.tsx'
import { loadLateRoutes, preloadScreen, router } from './routes.tsx'

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

// a failure shows itself when one of them is opened
void firstScreen.then(loadLateRoutes).catch(() => {})
watchFirstScreen(
  () => router.state.isLoading || router.state.resolvedLocation === undefined || queryClient.isFetching() > 0,
)
watchNavigation(() => router.state.isLoading)
