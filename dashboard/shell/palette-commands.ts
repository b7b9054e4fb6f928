import { useRouter } from '@tanstack/react-router'
import { type Command, startWhenShown, useScreenCommands } from '../data/commands.ts'
import { obstacleOf } from '../data/may.ts'
import { useOrganization } from '../data/organization.tsx'
import type { OwnOrganization } from '../data/own-organizations.ts'
import { type Preferences, usePreferences } from '../data/preferences.tsx'
import { type Language, useLanguage, useWords } from '../words/words.ts'
import { useHrefOf, useNavigation } from './destinations.ts'
import { leave } from './leave.ts'
import { allDestinations, type ShownDestination } from './navigation.ts'
import { openOverlay } from './overlays.ts'
import { paletteActions } from './palette-actions.ts'
import { shellTexts } from './shell.words.ts'

/**
 * All entries of the palette: the actions of the screen and of the other screens, the screens, the organizations, the
 * person's choices.
 */
export function usePaletteCommands(organizations: readonly OwnOrganization[]): readonly Command[] {
  const ofScreen = useScreenCommands()
  const shown = new Set(ofScreen.map(({ id }) => id))
  const ofOtherScreens = useActionsOfScreens().filter(({ id }) => !shown.has(id))
  const screens = useScreens()
  const others = useOtherOrganizations(organizations)
  const choices = useChoices()
  return [...ofScreen, ...screens, ...ofOtherScreens, ...others, ...choices]
}

function useScreens(): Command[] {
  const language = useLanguage()
  const text = useWords(shellTexts)
  const hrefOf = useHrefOf()
  const main = useNavigation().flatMap(group => group.destinations)
  const screens = main
    .flatMap(destination => [
      destination,
      ...(destination.pages ?? []).map(page => ({ ...page, hint: destination.label[language] })),
    ])
    .filter(({ lockedUntil }) => !lockedUntil)
    .map((destination: ShownDestination & { hint?: string }) => ({
      id: `go-${destination.id}`,
      label: destination.label[language],
      keywords: destination.label[otherThan(language)],
      icon: destination.icon,
      href: hrefOf(destination),
      ...(destination.shortcut && { shortcut: destination.shortcut }),
      ...(destination.hint && { hint: destination.hint }),
    }))
  return [
    ...screens,
    {
      id: 'go-profile',
      label: text.profile,
      keywords: shellTexts[otherThan(language)].profile,
      icon: 'person',
      href: '/me',
    },
  ]
}

/** The actions that other screens offer: the palette opens the screen and starts the action there. */
function useActionsOfScreens(): Command[] {
  const language = useLanguage()
  const router = useRouter()
  const hrefOf = useHrefOf()
  const { caller } = useOrganization()
  return paletteActions
    .filter(({ operation }) => obstacleOf(caller, operation) === undefined)
    .map(({ id, label, icon, route, isStarted }): Command => {
      const href = hrefOf({ route })
      const keys = allDestinations.find(destination => destination.route === route)?.shortcut
      const shown = {
        id,
        label: label[language],
        keywords: label[otherThan(language)],
        icon,
        ...(keys && isStarted && { shortcut: `${keys} c` }),
      }
      if (!isStarted) return { ...shown, href }
      const action = () => {
        startWhenShown(id, new URL(href, location.origin).pathname)
        void router.navigate({ href })
      }
      return { ...shown, action }
    })
}

function useOtherOrganizations(organizations: readonly OwnOrganization[]): Command[] {
  const { id } = useOrganization()
  const text = useWords(shellTexts)
  return organizations
    .filter(organization => organization.id !== id)
    .map(organization => ({
      id: `organization-${organization.id}`,
      label: organization.name,
      hint: text.organizations,
      icon: 'clients',
      href: `/o/${encodeURIComponent(organization.address)}`,
    }))
}

type ShellTexts = (typeof shellTexts)[Language]

/** Theme, density, language, keys and the way out. */
function useChoices(): Command[] {
  const language = useLanguage()
  const { preferences, change } = usePreferences()
  const labelOf = (name: (texts: ShellTexts) => string) => ({
    label: name(shellTexts[language] as ShellTexts),
    keywords: name(shellTexts[otherThan(language)] as ShellTexts),
  })
  const themes: Preferences['theme'][] = ['light', 'dark', 'system']
  const densities: Preferences['density'][] = ['compact', 'usual', 'roomy']
  const other = otherThan(language)
  return [
    ...themes
      .filter(theme => theme !== preferences.theme)
      .map(
        (theme): Command => ({
          id: `theme-${theme}`,
          ...labelOf(texts => `${texts.theme}: ${texts[theme].toLowerCase()}`),
          icon: 'theme',
          action: () => change({ theme }),
        }),
      ),
    ...densities
      .filter(density => density !== preferences.density)
      .map(
        (density): Command => ({
          id: `density-${density}`,
          ...labelOf(texts => `${texts.density}: ${texts[density].toLowerCase()}`),
          action: () => change({ density }),
        }),
      ),
    {
      id: `language-${other}`,
      label: other === 'es' ? 'Cambiar a español' : 'Switch to English',
      keywords: 'language idioma',
      action: () => change({ language: other }),
    },
    {
      id: 'keys',
      ...labelOf(texts => texts.keys),
      icon: 'keyboard',
      shortcut: '?',
      action: () => openOverlay('keys'),
    },
    { id: 'sign-out', ...labelOf(texts => texts.signOut), icon: 'signOut', action: () => void leave() },
    {
      id: 'sign-out-everywhere',
      ...labelOf(texts => texts.signOutEverywhere),
      action: () => openOverlay('sign-out-everywhere'),
    },
  ]
}

function otherThan(language: Language): Language {
  return language === 'es' ? 'en' : 'es'
}
