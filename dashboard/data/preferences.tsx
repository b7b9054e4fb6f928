import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { type Language, LanguageContext, languages } from '../words/words.ts'
import { setSingleKeyShortcuts } from './shortcuts.ts'

/** The choices of a person for themself. Null language and theme `system`: as the browser says. */
export type Preferences = {
  language: Language | null
  theme: 'system' | 'light' | 'dark'
  density: 'compact' | 'usual' | 'roomy'
  singleKeyShortcuts: boolean
}

const usual: Preferences = { language: null, theme: 'system', density: 'usual', singleKeyShortcuts: true }
/** A copy for the first paint; the server keeps the preferences themselves. Nothing secret. */
const storageKey = 'patio.preferences'

type PreferencesValue = { preferences: Preferences; change: (part: Partial<Preferences>) => void }
const PreferencesContext = createContext<PreferencesValue | undefined>(undefined)

export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [preferences, setPreferences] = useState(readStored)
  const language = preferences.language ?? browserLanguage()
  useEffect(() => {
    const { documentElement: root } = document
    root.lang = language
    if (preferences.theme === 'system') delete root.dataset.theme
    else root.dataset.theme = preferences.theme
    root.dataset.density = preferences.density
    setSingleKeyShortcuts(preferences.singleKeyShortcuts)
    localStorage.setItem(storageKey, JSON.stringify(preferences))
  }, [language, preferences])
  const value = useMemo(
    () => ({
      preferences,
      change: (part: Partial<Preferences>) => setPreferences(former => ({ ...former, ...part })),
    }),
    [preferences],
  )
  return (
    <PreferencesContext value={value}>
      <LanguageContext value={language}>
        <I18nProvider locale={language === 'es' ? 'es-ES' : 'en-US'}>{children}</I18nProvider>
      </LanguageContext>
    </PreferencesContext>
  )
}

export function usePreferences(): PreferencesValue {
  const value = useContext(PreferencesContext)
  if (!value) throw new Error('There is no PreferencesProvider')
  return value
}

function readStored(): Preferences {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Preferences>) }
  } catch {
    return usual
  }
}

function browserLanguage(): Language {
  const found = navigator.languages
    .map(tag => tag.slice(0, 2))
    .find(tag => languages.includes(tag as Language))
  return (found as Language | undefined) ?? 'en'
}
