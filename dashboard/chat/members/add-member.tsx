import { useRef, useState } from 'react'
import { Link } from 'react-aria-components'
import type { ChannelMember, ChannelRole } from '#contract/chat/shapes.ts'
import { inviteMany } from '#contract/identity/invitations.ts'
import { listMembers } from '#contract/identity/organization.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { useMay } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Choice } from '../../parts/choice.tsx'
import { PersonPicker } from '../../parts/combo.tsx'
import { useWords } from '../../words/words.ts'
import styles from './members.module.css'
import { channelMemberTexts } from './members.words.ts'

/** Finds people of the organization and adds the chosen one; the field is then ready for the next. `m` focuses it. */
export function AddMember({
  members,
  roles,
  onAdd,
}: {
  members: readonly ChannelMember[]
  roles: readonly ChannelRole[]
  onAdd: (person: { id: string; name: string }, role: ChannelRole) => void
}) {
  const text = useWords(channelMemberTexts)
  const may = useMay()
  const inviteHref = useKnownHref()('settings/invitations')
  const field = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const [role, setRole] = useState<ChannelRole>('MEMBER')
  const found = useList(listMembers, { query: { limit: 20, ...(search && { search }) } })
  const inside = new Set(members.map(({ id }) => id))
  const others = found.items.filter(({ personId }) => !inside.has(personId))
  useShortcuts(
    { m: { label: text.add, action: () => field.current?.querySelector('input')?.focus() } },
    text.title,
  )
  return (
    <div ref={field} className={styles.add}>
      <PersonPicker
        label={text.add}
        hint={
          <>
            {text.addHint}{' '}
            {may(inviteMany) && inviteHref && (
              <Link href={inviteHref} className={styles.link ?? ''}>
                {text.invite}
              </Link>
            )}
          </>
        }
        people={others.map(({ personId, name, email }) => ({ id: personId, name, email }))}
        isLoading={found.isLoading}
        search={search}
        onSearch={setSearch}
        value={null}
        onChange={id => {
          const person = others.find(({ personId }) => personId === id)
          if (!person) return
          setSearch('')
          onAdd({ id: person.personId, name: person.name }, role)
        }}
      />
      {roles.length > 1 && (
        <Choice
          label={text.as}
          value={role}
          onChange={setRole}
          options={roles.map(value => ({ value, label: text[value] }))}
        />
      )}
    </div>
  )
}
