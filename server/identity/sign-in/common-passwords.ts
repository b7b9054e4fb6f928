import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

export const listFile = createRequire(import.meta.url).resolve(
  '@zxcvbn-ts/language-common/src/passwords.json',
)

/**
 * Checks whether a lower-case text is one of the 49,000 most common passwords. The list is read for each new
 * password, which is rare, so that an idle process does not hold it. It is a JSON array and is searched as
 * text, because parsing it would take longer than the few lookups.
 */
export async function openCommonList(): Promise<(password: string) => boolean> {
  const list = await readFile(listFile, 'utf8')
  return password => password !== '' && list.includes(JSON.stringify(password))
}

// Words that people choose when ten characters are required, in lower case. Endings such as `2024!` and swaps
// such as `p@ssw0rd` are undone before the lookup, so only the plain words are listed.
const words = `
  password passwort passcode passphrase contrasena contraseña motdepasse wachtwoord senha parola lozinka haslo
  welcome welcomehome bienvenido bienvenida bienvenidos bienvenue willkommen benvenuto
  letmein letmeinnow openup opensesame abretesesamo trustno trustnoone changeme changeit changemenow cambiame
  admin administrator administrador administrateur root superuser sysadmin webmaster manager gerente supervisor
  user usuario guest invitado test testing tester testtest testuser demo demodemo temporal temporary default
  secret secreto geheim topsecret private privado access acceso login signin logmein sesame master maestro
  qwerty qwertz azerty qwertyuiop qwertyui asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc qweasd qweasdzxc
  iloveyou iloveu iloveyouso loveyou lovelove teamo teamomucho tequiero jetaime lovers lovely princess princesa
  sunshine shadow superman batman spiderman pokemon starwars dragon monkey tigger football baseball basketball
  soccer futbol hockey liverpool chelsea arsenal barcelona realmadrid atletico juventus manchester yankees
  michael jennifer jessica ashley daniel charlie jordan thomas robert andrew joshua matthew anthony william
  alejandro alejandra francisco fernando fernanda guadalupe carolina valentina sebastian santiago gabriela
  flower flowers butterfly chocolate cheese computer internet keyboard samsung iphone android google facebook
  instagram microsoft windows linkedin whatsapp company empresa negocio office oficina business
  summer winter spring autumn verano invierno primavera sommer january february march april june july august
  september october november december enero febrero marzo abril mayo junio julio agosto septiembre octubre
  noviembre diciembre monday tuesday wednesday thursday friday saturday sunday lunes viernes
  freedom whatever nothing forever jesus jesuschrist dios blessed america mexico españa espana madrid colombia
  argentina matrix ninja killer hunter ranger mustang corvette ferrari porsche mercedes yamaha harley phoenix
  hello helloworld hola holamundo goodbye thankyou abcdef abcdefg abcdefgh abcabc asdasd qweqwe zxczxc aaaaaa
  patio patiopatio mypatio letmeinpatio
`
export const commonWords: ReadonlySet<string> = new Set(words.split(/\s+/).filter(Boolean))

// whole passwords that the rules about words and keyboard walks do not catch
const passwords = `
  1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4t5 q1w2e3r4t5y6 1qaz2wsx3edc 1qazxsw23edc zaq12wsxcde3 zaq1xsw2cde3
  1234qwerasdf qwer1234asdf asdf1234qwer qwerty123456 123456qwerty abcd123456 123456abcd a1b2c3d4e5 a123456789
  aa12345678 aa123456789 1234567890a 123456789a 123456789q 987654321a 0987654321 11223344556677 1122334455
  1212121212 1231231234 1029384756 3141592653 31415926535 2718281828 0123456789a 12345qwert qwert12345
  asdfg12345 zxcvb12345 1234abcd1234 abc1234567 abc12345678 qwe1234567 p0o9i8u7y6 mnbvcxz123 lkjhgfdsa1
  myspace123 letmein123456 ilovemydog ilovemycat ilovemymom ilovegod123 jesusislord godisgood1 godislove1
  correcthorsebatterystaple correct-horse-battery-staple tobeornottobe maytheforcebewithyou
  thisismypassword mypassword mypassword1 newpassword oldpassword yourpassword nopassword passwordpassword
  password1password iamtheboss iamgroot123 hakunamatata bismillah786 computadora administracion
`
export const commonPasswords: ReadonlySet<string> = new Set(passwords.split(/\s+/).filter(Boolean))
