import '../styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PreferencesProvider } from '../data/preferences.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { Book } from './book.tsx'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <PreferencesProvider>
      <Book />
      <Toasts />
    </PreferencesProvider>
  </StrictMode>,
)
