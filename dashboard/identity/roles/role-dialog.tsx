import { useState } from 'react'
import { createRole, listRoles, updateRole } from '#contract/identity/roles.ts'
import { type Permission, permissions } from '#contract/permissions.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { permissionTexts } from '../permission.words.ts'
import { type PermissionGroup, permissionGroups, shareOf, withGroup } from './permission-groups.ts'
import type { CustomRole } from './role.ts'
import styles from './role-dialog.module.css'
import { rolesTexts } from './roles.words.ts'

/** The first state of the dialog: a role to change, or the name and permissions of a new one. */
export type RoleDraft = { role?: CustomRole; name: string; permissions: readonly Permission[] }

/** Creates or changes a custom role: its name and, by area, its permissions. */
export function RoleDialog({ draft, onClose }: { draft: RoleDraft; onClose: () => void }) {
  const text = useWords(rolesTexts)
  const { caller } = useOrganization()
  const create = useAction(createRole, { refreshes: [listRoles] })
  const update = useAction(updateRole, { refreshes: [listRoles] })
  const givable = new Set<Permission>(caller.permissions)
  const { role } = draft
  // a copy has only what the caller can give
  const first = role ? draft.permissions : draft.permissions.filter(permission => givable.has(permission))
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(new Set(first))
  async function save({ name = '' }: Readonly<Record<string, string>>): Promise<void> {
    const body = { name: name.trim(), permissions: permissions.filter(permission => chosen.has(permission)) }
    const saved = role
      ? await update.mutateAsync({ params: { id: role.id }, body })
      : await create.mutateAsync({ body })
    showToast({ text: role ? text.saved(saved.name) : text.created(saved.name) })
    onClose()
  }
  return (
    <Dialog title={role ? text.editTitle(role.name) : text.createTitle} isOpen onClose={onClose} size="wide">
      <ActionForm onSubmit={save}>
        {({ isBusy }) => (
          <>
            <div className={styles.name}>
              <TextField
                {...fieldOf(createRole, 'name')}
                label={text.name}
                defaultValue={draft.name}
                autoComplete="off"
              />
            </div>
            <div className={styles.groups}>
              {permissionGroups.map(group => (
                <Group key={group.id} group={group} chosen={chosen} givable={givable} onChange={setChosen} />
              ))}
            </div>
            <div className={styles.end}>
              <span className={styles.quiet}>
                {text.chosen(chosen.size)}. {role && text.liveAbout}
              </span>
              <FormActions onLeave={onClose} action={role ? text.save : text.create} isBusy={isBusy} />
            </div>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

function Group({
  group,
  chosen,
  givable,
  onChange,
}: {
  group: PermissionGroup
  chosen: ReadonlySet<Permission>
  givable: ReadonlySet<Permission>
  onChange: (chosen: ReadonlySet<Permission>) => void
}) {
  const text = useWords(rolesTexts)
  const language = useLanguage()
  const ofCaller = group.permissions.filter(permission => givable.has(permission))
  const share = shareOf(ofCaller, chosen)
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>
        <Checkbox
          isSelected={share === 'all'}
          isIndeterminate={share === 'some'}
          isDisabled={ofCaller.length === 0}
          onChange={isOn => onChange(withGroup(chosen, group.permissions, isOn, givable))}
        >
          <span className={styles.groupName}>{text[group.id]}</span>
        </Checkbox>
      </legend>
      {group.permissions.map(permission => (
        <Checkbox
          key={permission}
          isSelected={chosen.has(permission)}
          isDisabled={!givable.has(permission)}
          onChange={isOn => onChange(withGroup(chosen, [permission], isOn, givable))}
          {...(!givable.has(permission) && { hint: text.cannotGive })}
        >
          {permissionTexts[language][permission]}
        </Checkbox>
      ))}
    </fieldset>
  )
}
