import { useQuery } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useInsertionEffect,
  useMemo,
  useState,
} from 'react'
import { I18nProvider } from 'react-aria-components'
import { readPreferences, setPreferences as setPreferencesOperation } from '#contract/identity/preferences.ts'
import type { Reply } from '#contract/route.ts'
import { type Language, LanguageContext, languages } from '../words/words.ts'
import { loadErrorTexts } from './errors.ts'
import { queryClient } from './query-client.ts'
import { keyOf } from './read.ts'
import { callAccount } from './session.ts'
import { setSingleKeyShortcuts } from './shortcuts.ts'
import { broadcastPreferences, onPreferences } from './tabs.ts'

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

type PreferencesValue = {
  preferences: Preferences
  /** Changes some of them: at once here, in the other tabs, and on the server if somebody is signed in. */
  change: (part: Partial<Preferences>) => void
  /** Takes over what the server has. */
  adopt: (stored: Preferences) => void
}
const PreferencesContext = createContext<PreferencesValue | undefined>(undefined)

export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [preferences, setPreferences] = useState(readStored)
  const language = preferences.language ?? browserLanguage()
  // before a part measures itself: the attributes decide its fonts and heights
  useInsertionEffect(() => {
    const { documentElement: root } = document
    // the same language once more would make the browser style the whole page again
    if (root.lang !== language) root.lang = language
    if (preferences.theme === 'system') delete root.dataset.theme
    else root.dataset.theme = preferences.theme
    root.dataset.density = preferences.density
  }, [language, preferences])
  useEffect(() => {
    setSingleKeyShortcuts(preferences.singleKeyShortcuts)
    localStorage.setItem(storageKey, JSON.stringify(preferences))
    void loadErrorTexts(language)
  }, [language, preferences])
  useEffect(() => onPreferences(chosen => setPreferences(chosen as Preferences)), [])
  const value = useMemo(
    () => ({
      preferences,
      change: (part: Partial<Preferences>) => {
        const changed = { ...preferences, ...part }
        setPreferences(changed)
        broadcastPreferences(changed)
        // without a sign-in the choice is for this browser alone
        if (isRead()) void keep(part)
      },
      adopt: setPreferences,
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

const preferencesQuery = {
  queryKey: keyOf('account', readPreferences),
  queryFn: () => callAccount(readPreferences),
  staleTime: Number.POSITIVE_INFINITY,
}

/** Whether the server's preferences were read: then somebody is signed in. */
function isRead(): boolean {
  return queryClient.getQueryData(preferencesQuery.queryKey) !== undefined
}

async function keep(body: Partial<Preferences> & { lastOrganizationId?: string }): Promise<void> {
  try {
    queryClient.setQueryData(preferencesQuery.queryKey, await callAccount(setPreferencesOperation, { body }))
  } catch {
    // the choice holds in this browser, and the next change tries again
  }
}

/**
 * Takes over the preferences that the server keeps for the signed-in person, and returns them once they are read.
 * For the frames of the screens.
 */
export function useServerPreferences(): Reply<typeof readPreferences> | undefined {
  const { adopt } = usePreferences()
  const { data } = useQuery(preferencesQuery)
  useEffect(() => {
    if (!data) return
    const { language, theme, density, singleKeyShortcuts } = data
    adopt({ language, theme, density, singleKeyShortcuts })
  }, [data, adopt])
  return data
}

/** Remembers the organization that the person opened, where the dashboard opens the next time. */
export function useLastOrganization(organizationId: string): void {
  const isKnown = useQuery(preferencesQuery).data !== undefined
  // only when the person opens another organization here, not when another tab does
  useEffect(() => {
    const stored = queryClient.getQueryData<Reply<typeof readPreferences>>(preferencesQuery.queryKey)
    if (isKnown && stored?.lastOrganizationId !== organizationId)
      void keep({ lastOrganizationId: organizationId })
  }, [organizationId, isKnown])
}

/** The organization that the person opened last; undefined if it is not known, or nobody is signed in. */
export async function readLastOrganizationId(): Promise<string | null | undefined> {
  try {
    return (await queryClient.fetchQuery(preferencesQuery)).lastOrganizationId
  } catch {
    return undefined
  }
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
