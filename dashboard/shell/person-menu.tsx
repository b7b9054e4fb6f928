import { useOrganization } from '../data/organization.tsx'
import { type Preferences, usePreferences } from '../data/preferences.tsx'
import { MenuAt, type MenuEntry } from '../parts/menu.tsx'
import { useLanguage, useWords } from '../words/words.ts'
import type { OpenMenuProps } from './late-menu.tsx'
import { leave } from './leave.ts'
import { openOverlay } from './overlays.ts'
import { shellTexts } from './shell.words.ts'

/** The person: their profile, how the dashboard looks to them, and the way out. */
export function PersonMenu(menu: OpenMenuProps) {
  const text = useWords(shellTexts)
  const { person } = useOrganization().caller
  const choices = usePreferenceChoices()
  return (
    <MenuAt
      {...menu}
      label={text.you}
      placement="top start"
      groups={[
        {
          id: 'you',
          title: person.email,
          entries: [
            { id: 'profile', label: text.profile, icon: 'person', href: '/me' },
            {
              id: 'keys',
              label: text.keys,
              icon: 'keyboard',
              shortcut: '?',
              onAction: () => openOverlay('keys'),
            },
          ],
        },
        ...choices,
        {
          id: 'leave',
          entries: [
            { id: 'sign-out', label: text.signOut, icon: 'signOut', onAction: () => void leave() },
            {
              id: 'sign-out-everywhere',
              label: text.signOutEverywhere,
              onAction: () => openOverlay('sign-out-everywhere'),
            },
          ],
        },
      ]}
    />
  )
}

/** The choices of language, theme and density, with the current one marked. */
function usePreferenceChoices() {
  const text = useWords(shellTexts)
  const language = useLanguage()
  const { preferences, change } = usePreferences()
  function entry<Key extends 'language' | 'theme' | 'density'>(
    key: Key,
    value: Preferences[Key],
    label: string,
    current: Preferences[Key] = preferences[key],
  ): MenuEntry {
    return {
      id: `${key}-${value}`,
      label,
      isCurrent: current === value,
      onAction: () => change({ [key]: value }),
    }
  }
  return [
    {
      id: 'language',
      title: text.language,
      entries: [entry('language', 'es', 'Español', language), entry('language', 'en', 'English', language)],
    },
    {
      id: 'theme',
      title: text.theme,
      entries: [
        entry('theme', 'system', text.system),
        entry('theme', 'light', text.light),
        entry('theme', 'dark', text.dark),
      ],
    },
    {
      id: 'density',
      title: text.density,
      entries: [
        entry('density', 'compact', text.compact),
        entry('density', 'usual', text.usual),
        entry('density', 'roomy', text.roomy),
      ],
    },
  ]
}
