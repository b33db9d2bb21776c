// Which variables hold a secret: by their names, and by whether the value could be one at all.

// Names are compared in capitals: a pattern that takes both takes far longer to be made, and this is read at every start.

/** All names that may be meant have one of these in them, and most names have none. */
const perhaps = /KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIAL|_PAT|_PWD|DSN|SALT|SIGNATURE|WEBHOOK/;
/** These say so. */
const surely =
  /(?:^|_)(?:PASSWORDS?|PASSWD|PASSPHRASE|SECRETS?|TOKENS?|API_?KEYS?|ACCESS_?KEY|SECRET_?KEY|PRIVATE_?KEY|CREDENTIALS?|PAT|PGPASSWORD)(?:_|\d|$)|(?:TOKEN|SECRET|PASSWORD|PASSWD|APIKEY)$/;
/** These may: what they hold has to look like one, too. */
const maybe = /(?:^|_)(?:KEYS?|AUTH|PASS|PWD|DSN|SALT|SIGNATURE|WEBHOOK)(?:_|\d|$)/;

/** The values that people write where a secret will be, and those that say something else. */
const trivial =
  /^(?:true|false|none|null|nil|undefined|yes|no|on|off|default|testing|example|change[-_ ]?me|pass(?:word|w0rd)|secret|token|x+|\*+|•+|\.+|your[-_ ].*|my[-_ ].*|<.*>|\$.*|%.*|\{.*\}?|placeholder|dummy|localhost|root|admin|postgres|username|keyring|required|optional|enabled|disabled|production|development|staging)$/i;

const isPlace = (value: string): boolean =>
  /^(?:[~.]{0,2}\/|[A-Za-z]:\\|unix:|[a-z][a-z0-9+.-]*:\/\/)/i.test(value) || /^(.)\1*$/.test(value);

const hasLetters = /[A-Za-z]/;

/** Letters and digits together, or more signs than words have. */
const looksRandom = (value: string): boolean =>
  !/\s/.test(value) &&
  ((/\d/.test(value) && hasLetters.test(value)) ||
    (/[a-z]/.test(value) && /[A-Z]/.test(value) && value.length >= 16) ||
    /[^\w.\s-]/.test(value));

/** Whether a text can be a secret at all, where one stands. */
export const isTrivial = (value: string): boolean => trivial.test(value) || isPlace(value);

export function isSecret(name: string, value: string): boolean {
  const capitals = name.toUpperCase();
  if (value.length < 6 || !perhaps.test(capitals)) return false;
  const sure = surely.test(capitals);
  if ((!sure && !maybe.test(capitals)) || isTrivial(value)) return false;
  if (!sure) return value.length >= 8 && looksRandom(value);
  return value.length >= 8 ? hasLetters.test(value) || value.length >= 10 : looksRandom(value);
}
