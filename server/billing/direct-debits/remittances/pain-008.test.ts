import { XmlDocument } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import { allCaptured } from '#tests/support/elements.ts'
import { isBankDay } from './bank-days.ts'
import { type Collection, pain008 } from './pain-008.ts'

// the order and the names of pain.008.001.08; the schema is in no package

const remittance = {
  id: 'cmhz3k8q1a1b2c3d4e5f6g7h8',
  created_at: '2026-11-28T09:30:00.123Z',
  collection_date: '2026-12-04',
  creditor: {
    name: 'Compañía & Hijos',
    identifier: 'ES50ZZZM23456789',
    iban: 'ES9121000418450200051332',
    bic: null,
  },
}
const collection: Collection = {
  id: 'cmhz3k8q1b2c3d4e5f6g7h8a1',
  amount_cents: 12_105,
  invoice_number: 'F2026-000001',
  mandate_reference: 'M-1',
  scheme: 'CORE',
  kind: 'RCUR',
  debtor_name: 'Jürgen 李 Peña',
  iban: 'DE89370400440532013000',
  bic: 'DEUTDEFF',
  signed_on: '2026-01-15',
}

test('a remittance has the elements of pain.008.001.08 in their order', () => {
  const document = pain008(remittance, [collection])
  XmlDocument.fromString(document).dispose()
  const lines = document
    .split('\n')
    .slice(1)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('</'))
  const flat = lines.map(line => line.replace(/^<([^ >]+)[^>]*>([^<]*).*$/, '$1 $2').trim()).join('\n')
  expect(flat).toBe(
    `Document
CstmrDrctDbtInitn
GrpHdr
MsgId cmhz3k8q1a1b2c3d4e5f6g7h8
CreDtTm 2026-11-28T09:30:00
NbOfTxs 1
CtrlSum 121.05
InitgPty
Nm Compania Hijos
Id
OrgId
Othr
Id ES50ZZZM23456789
PmtInf
PmtInfId cmhz3k8q1a1b2c3d4e5f6g7h8-CORE-RCUR
PmtMtd DD
NbOfTxs 1
CtrlSum 121.05
PmtTpInf
SvcLvl
Cd SEPA
LclInstrm
Cd CORE
SeqTp RCUR
ReqdColltnDt 2026-12-04
Cdtr
Nm Compania Hijos
CdtrAcct
Id
IBAN ES9121000418450200051332
CdtrAgt
FinInstnId
Othr
Id NOTPROVIDED
ChrgBr SLEV
CdtrSchmeId
Id
PrvtId
Othr
Id ES50ZZZM23456789
SchmeNm
Prtry SEPA
DrctDbtTxInf
PmtId
EndToEndId cmhz3k8q1b2c3d4e5f6g7h8a1
InstdAmt 121.05
DrctDbtTx
MndtRltdInf
MndtId M-1
DtOfSgntr 2026-01-15
DbtrAgt
FinInstnId
BICFI DEUTDEFF
Dbtr
Nm Jurgen Pena
DbtrAcct
Id
IBAN DE89370400440532013000
RmtInf
Ustrd F2026-000001`,
  )
  // texts of 35 characters at most (Max35Text)
  for (const id of allCaptured(/<(?:MsgId|PmtInfId|EndToEndId)>([^<]*)</g, document))
    expect(id.length).toBeLessThanOrEqual(35)
})

test('the largest amounts keep their cents', () => {
  expect(pain008(remittance, [{ ...collection, amount_cents: 999_999_999_901 }])).toContain(
    '<CtrlSum>9999999999.01</CtrlSum>',
  )
})

test.each([
  ['2026-11-27', true],
  ['2026-11-28', false],
  ['2026-11-29', false],
  ['2026-12-25', false],
  ['2026-12-28', true],
  ['2026-01-01', false],
  ['2025-05-01', false],
  // Good Friday and Easter Monday
  ['2026-04-03', false],
  ['2026-04-06', false],
  ['2026-04-07', true],
  ['2027-03-26', false],
  ['2027-03-29', false],
  ['2038-04-23', false],
  ['2038-04-26', false],
])('on %s banks are open: %s', (day, isOpen) => expect(isBankDay(day)).toBe(isOpen))
