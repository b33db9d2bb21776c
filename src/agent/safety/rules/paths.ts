// Files by what they are for: each is told by its path, with `~` for the home folder.

const any = (...patterns: readonly RegExp[]): RegExp => new RegExp(patterns.map(({ source }) => source).join("|"), "i");

/** Keys, passwords and what signs people in. */
export const keyFiles = any(
  /(^|\/)\.ssh\/(id_[\w-]+|identity|\*|\ufffc|[^/]*(_rsa|_ed25519|\.key))$/,
  /(^|\/)\.(ssh|aws|azure|kube)$/,
  /(^|\/)\.gnupg(\/|$)/,
  /(^|\/)\.aws\/credentials|(^|\/)\.aws\/(sso|cli)\/cache/,
  /(^|\/)\.(config\/)?gcloud\/(application_default_credentials\.json|credentials\.db|access_tokens\.db|legacy_credentials)/,
  /(^|\/)\.azure\/(accessTokens|msal_token_cache|azureProfile|service_principal)/,
  /(^|\/)\.kube\/config$/,
  /(^|\/)\.docker\/config\.json$/,
  /(^|\/)(\.netrc|_netrc|\.pgpass|\.my\.cnf|\.pypirc|\.npmrc|\.git-credentials|\.vault-token|\.cargo\/credentials(\.toml)?)$/,
  /(^|\/)\.config\/(gh\/hosts\.yml|hub|rclone\/rclone\.conf|op\/config)$/,
  /(^|\/)(id_rsa|id_ed25519|id_ecdsa|id_dsa)$/,
  /\.(pem|p12|pfx|jks|keystore|kdbx|ppk)$/,
  /(^|\/)etc\/(shadow|gshadow|sudoers)$/,
  /(^|\/)open-interpreter\/keys\.json$/,
  /(^|\/)(service[-_]?account|client_secret)[\w.-]*\.json$/,
);

export const environmentFile = /(^|\/)\.env(\.(?!example|sample|template|dist)[\w.-]+)?$/i;

/** What browsers keep about people: cookies, passwords, histories. */
export const browserFiles = any(
  /\/(google-chrome|chromium|BraveSoftware|microsoft-edge|Google\/Chrome|Microsoft\/Edge|Opera Software|vivaldi)(\/|$)/,
  /(^|\/)\.mozilla\/firefox(\/|$)|\/Firefox\/Profiles(\/|$)|\/Safari\/(Cookies|History)|\/Cookies\/Cookies\.binarycookies/,
  /\/(Login Data|cookies\.sqlite|logins\.json|key4\.db|Cookies)$/,
);

/** Where a desktop keeps passwords. */
export const keyringFiles = any(
  /(^|\/)\.local\/share\/(keyrings|kwalletd)(\/|$)/,
  /\/Library\/Keychains(\/|$)/,
  /\.keychain(-db)?$/,
  /(^|\/)\.password-store(\/|$)/,
  /\/Microsoft\/(Credentials|Protect|Vault)(\/|$)/,
  /\/(1Password|Bitwarden|KeePass\w*)(\/|$)/,
);

export const historyFiles =
  /(^|\/)\.(bash_history|zsh_history|python_history|psql_history|mysql_history|node_repl_history|lesshst)$|\/fish_history$/i;

/** Read by every shell that starts. */
export const shellStartFiles = any(
  /^~\/\.(bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|tcshrc|inputrc|xprofile|xinitrc|xsession|xsessionrc|pam_environment)$/,
  /(^|\/)\.config\/fish\/(config\.fish|conf\.d(\/|$))/,
  /^\/etc\/(profile|bash\.bashrc|bashrc|zshrc|zshenv|zsh\/|environment|profile\.d(\/|$))/,
  /Microsoft\.PowerShell_profile\.ps1$|\/PowerShell\/profile\.ps1$/,
);

export const timetables = /^\/etc\/(cron[\w.]*|anacrontab)(\/|$)|^\/var\/spool\/(cron|at)(\/|$)/i;

export const serviceFiles = any(
  /^\/(etc|usr\/lib|lib|run)\/systemd\/(system|user)(\/|$)/,
  /(^|\/)\.config\/systemd\/user(\/|$)|\.local\/share\/systemd\/user(\/|$)/,
  /^\/etc\/(init\.d|rc\.local|rc\d?\.d|init)(\/|$)/,
  /\/Library\/Launch(Agents|Daemons)(\/|$)/,
  /\.(service|timer)$/,
);

export const autostartFiles = any(
  /(^|\/)\.config\/autostart(\/|$)|^\/etc\/xdg\/autostart(\/|$)/,
  /\/Start Menu\/Programs\/Start-?up(\/|$)/,
);

export const gitHooks = /(^|\/)\.git\/(hooks\/(?![\w-]+\.sample$)|config$)|(^|\/)\.husky\//i;

export const authorizedKeys = /(^|\/)\.ssh\/(authorized_keys2?|rc|config)$/i;

/** Loaded by an interpreter before every program. */
export const interpreterStartFiles = any(
  /\/(site|dist)-packages\/([\w-]+\.pth|sitecustomize\.py|usercustomize\.py)$/,
  /(^|\/)(sitecustomize|usercustomize)\.py$/,
  /\.ipython\/profile_\w+\/startup\//,
  /^~\/\.(Rprofile|irbrc|pdbrc|gdbinit|vimrc|emacs)$/,
);

export const accountFiles =
  /^\/etc\/(passwd|shadow|group|gshadow|sudoers)$|^\/etc\/(sudoers\.d|pam\.d|security)(\/|$)|^\/etc\/ssh\/sshd_config/i;

/** A disk, and no stream that swallows or makes up bytes. */
export const diskDevices =
  /^\/dev\/(sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|disk\d|rdisk\d|loop\d|mapper\/|md\d|dm-\d)|^\\\\\.\\PhysicalDrive/i;

/** Of the system, but there for everybody to write to. */
export const harmlessDevices = /^\/dev\/(null|zero|stdout|stderr|stdin|tty|fd\/\d+|full|urandom|random|shm(\/.*)?)$/;

/** Names of variables whose value should stay secret. */
const secretName =
  /(^|_)(api_?key|key|token|secret|passw(or)?d|pwd|credentials?|auth)(_|$)|(apikey|secretkey|accesskey|privatekey|password)$/i;
export const isSecretName = (name: string): boolean =>
  secretName.test(name) && !/^(PWD|OLDPWD|SSH_AUTH_SOCK|XAUTHORITY)$/.test(name);
