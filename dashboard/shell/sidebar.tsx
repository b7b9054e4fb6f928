import { Link, useLocation } from '@tanstack/react-router'
import { ChatAttention } from '../chat/index.ts'
import { useDeviceSettings } from '../data/device-settings.ts'
import { useOrganization } from '../data/organization.tsx'
import { IconButton } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Key } from '../parts/key.tsx'
import { late } from '../parts/late.tsx'
import { useLanguage, useWords } from '../words/words.ts'
import { ConnectionState } from './connection-state.tsx'
import { type ShownGroup, useHrefOf, useNavigation } from './destinations.ts'
import { LateMenu } from './late-menu.tsx'
import { OrganizationLabel, PersonLabel } from './menu-labels.tsx'
import { allDestinations, type ShownDestination } from './navigation.ts'
import { openOverlay } from './overlays.ts'
import { planNames, shellTexts } from './shell.words.ts'
import styles from './sidebar.module.css'

const OrganizationMenu = late(() => import('./organization-menu.tsx').then(menu => menu.OrganizationMenu))
const PersonMenu = late(() => import('./person-menu.tsx').then(menu => menu.PersonMenu))

/** The navigation: the organization, its screens, the person. Collapsed, it shows the icons alone. */
export function Sidebar({
  isCollapsed = false,
  isDrawer = false,
}: {
  isCollapsed?: boolean
  isDrawer?: boolean
}) {
  const text = useWords(shellTexts)
  const { name, caller } = useOrganization()
  const groups = useNavigation()
  const section = useSection(groups)
  const [, changeDevice] = useDeviceSettings()
  return (
    <div className={styles.sidebar} data-collapsed={isCollapsed || undefined}>
      <div className={styles.head}>
        <LateMenu menu={OrganizationMenu} className={styles.organization}>
          <OrganizationLabel name={name} />
        </LateMenu>
        {!isDrawer && (
          <IconButton
            icon={isCollapsed ? 'chevronRight' : 'chevronLeft'}
            size="small"
            label={isCollapsed ? text.expand : text.collapse}
            onPress={() => changeDevice({ isSidebarCollapsed: !isCollapsed })}
          />
        )}
      </div>
      <button type="button" className={styles.search} onClick={() => openOverlay('palette')}>
        <Icon name="search" />
        <span className={styles.word}>{text.search}</span>
        <span className={styles.word}>
          <Key name="mod+k" />
        </span>
      </button>
      <nav aria-label={text.main} className={styles.groups}>
        {section ? (
          <Section of={section} pages={section.pages} home={groups[0]?.destinations[0]} />
        ) : (
          groups.map(group => <Group key={group.id} {...group} />)
        )}
      </nav>
      <div className={styles.foot}>
        <LateMenu menu={PersonMenu} className={styles.person}>
          <PersonLabel name={caller.person.name} />
        </LateMenu>
        <ConnectionState />
      </div>
    </div>
  )
}

/** The screen with pages of its own to which the address belongs. Its pages then take the place of the navigation. */
function useSection(groups: readonly ShownGroup[]) {
  const hrefOf = useHrefOf()
  const path = useLocation({ select: ({ pathname }) => pathname })
  for (const { destinations } of groups)
    for (const { pages, ...destination } of destinations) {
      const href = hrefOf(destination)
      if (pages && (path === href || path.startsWith(`${href}/`))) return { ...destination, pages }
    }
  return undefined
}

function Group({ id, label, destinations }: Omit<ShownGroup, 'id'> & { id: string }) {
  const language = useLanguage()
  return (
    <div className={styles.group} data-group={id}>
      {label && <h2 className={styles.title}>{label[language]}</h2>}
      <ul className={styles.list}>
        {destinations.map(destination => (
          <li key={destination.id}>
            <Entry destination={destination} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The pages of a section, and the way back. */
function Section({
  of,
  pages,
  home,
}: {
  of: ShownDestination
  pages: readonly ShownDestination[]
  home: ShownDestination | undefined
}) {
  const { id, label, startLabel } = of
  const start = startLabel ? [{ ...of, label: startLabel }] : []
  return (
    <>
      {home && <Group id="start" destinations={[{ ...home, icon: 'chevronLeft' }]} />}
      <Group id={id} label={label} destinations={[...start, ...pages]} />
    </>
  )
}

function Entry({ destination }: { destination: ShownDestination }) {
  const text = useWords(shellTexts)
  const label = destination.label[useLanguage()]
  const hrefOf = useHrefOf()
  const href = hrefOf(destination)
  const { icon, lockedUntil, id, route, isExact } = destination
  // of two entries, the one with the longer address is the current one
  const isInOther = useLocation({
    select: ({ pathname }) =>
      allDestinations.some(other => other.route.startsWith(`${route}/`) && pathname === hrefOf(other)),
  })
  if (lockedUntil) {
    const reason = text.locked(planNames[lockedUntil])
    return (
      <span className={styles.locked} title={reason}>
        <Icon name={icon} />
        <span className={styles.word}>{label}</span>
        <Icon name="lock" className={styles.lock} />
        <span className={styles.spoken}>{reason}</span>
      </span>
    )
  }
  return (
    <Link
      to={href}
      activeOptions={{ exact: isExact || isInOther, includeSearch: false }}
      className={styles.entry}
      title={label}
    >
      <Icon name={icon} />
      <span className={styles.word}>{label}</span>
      {id === 'channels' && (
        <span className={`${styles.word} ${styles.waiting}`}>
          <ChatAttention />
        </span>
      )}
    </Link>
  )
}
