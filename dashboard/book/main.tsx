import '../styles/base.css'
import { StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { Toasts } from '../parts/toasts.tsx'
import { LanguageContext } from '../words/words.ts'

// loaded apart, so that its parts do not count among those that every screen of the dashboard needs
const { Book } = await import('./book.tsx')

const address = new URLSearchParams(location.search)
const language = address.get('language') === 'es' ? 'es' : 'en'
const theme = address.get('theme')
const { documentElement: root } = document
root.lang = language
if (theme) root.dataset.theme = theme
root.dataset.density = address.get('density') ?? 'usual'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <LanguageContext value={language}>
      <I18nProvider locale={language === 'es' ? 'es-ES' : 'en-US'}>
        <Book part={address.get('part')} />
        <Toasts />
      </I18nProvider>
    </LanguageContext>
  </StrictMode>,
)
