import { useState } from 'react'
import { listMembers, updateMember } from '#contract/identity/organization.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { permissionsOf, roleChange, roleKey, roleOfKey } from '../role-change.ts'
import { RoleDifference } from '../role-difference.tsx'
import { useRoles } from '../use-roles.ts'
import type { Member } from './member.ts'
import { memberTexts } from './members.words.ts'

/** Gives a member another role, and shows before what they gain and lose. */
export function ChangeRoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const text = useWords(memberTexts)
  const { options, customRoles } = useRoles()
  const [key, setKey] = useState(roleKey(member))
  const update = useAction(updateMember, { refreshes: [listMembers] })
  const role = roleOfKey(key)
  const { gains, loses } = roleChange(permissionsOf(member, customRoles), permissionsOf(role, customRoles))
  const isSame = key === roleKey(member)
  return (
    <Dialog title={text.newRole(member.name)} isOpen onClose={onClose}>
      <ActionForm
        onSubmit={async () => {
          if (isSame) return onClose()
          const changed = await update.mutateAsync({
            params: { personId: member.personId },
            body: { role: role.role, ...(role.roleId !== null && { roleId: role.roleId }) },
          })
          const name = options.find(({ value }) => value === roleKey(changed))?.label ?? changed.role
          showToast({ text: text.saved(member.name, name) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <Choice label={text.role} options={options} value={key} onChange={setKey} />
            {isSame ? (
              <p>{text.nothingChanges}</p>
            ) : (
              <>
                <RoleDifference title={text.gains} kind="gains" permissions={gains} />
                <RoleDifference title={text.loses} kind="loses" permissions={loses} />
                {gains.length + loses.length === 0 && <p>{text.nothingChanges}</p>}
              </>
            )}
            <FormActions onLeave={onClose} action={text.save} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
