"""Places where a person's name stands in a command, one template an entry; `{name}` is the user."""

from __future__ import annotations

PLACES: tuple[str, ...] = tuple(
    line
    for line in r"""
ls /home/{name}/project
cat /Users/{name}/Library/x
type C:\Users\{name}\AppData\x
dir "C:\\Users\\{name}\\src"
ls /c/Users/{name}/src
ls /mnt/c/Users/{name}/src
dir \\wsl$\Ubuntu\home\{name}\src
dir \\wsl.localhost\Debian\home\{name}\src
open file:///home/{name}/a.html
open file:///C:/Users/{name}/a.html
ls ~{name}/src
curl 'https://x.example/?p=%2Fhome%2F{name}%2Fsrc'
curl 'https://x.example/?p=%252Fhome%252F{name}%252Fsrc'
curl 'https://x.example/?p=C%3A%5CUsers%5C{name}%5Csrc'
sudo -u {name} ls
sudo --user={name} ls
sudo -iu {name}
chown {name}: f
chown -R {name}:staff dir
chown --recursive {name} dir
USER={name} make
export LOGNAME={name}
$env:USERNAME = '{name}'
set USERNAME={name}
crontab -u {name} -l
su - {name}
su {name} -c 'ls'
git config user.name {name}
git config --global user.name "{name}"
git config user.email {name}@corp.example
git -c user.name={name} commit -m x
ssh {name}@build.example
ssh -i key -l {name} build.example
scp a {name}@build.example:/tmp
sftp {name}@build.example
rsync -a src/ {name}@build.example:dst
curl https://{name}@git.example/a/b
git clone ssh://{name}@git.example/a/b
useradd -m {name}
usermod -aG docker {name}
userdel -r {name}
passwd {name}
id {name}
finger {name}
groups {name}
adduser {name} sudo
gpasswd -a {name} docker
getent passwd {name}
loginctl show-user {name}
pkill -u {name}
ps -u {name}
find / -user {name}
runuser -u {name} -- ls
setfacl -m u:{name}:rwx f
icacls f /grant {name}:F
net user {name} /active:yes
dscl . -read /Users/{name}
export HOME=/home/{name}
cat /var/spool/cron/crontabs/{name}
cat /var/mail/{name}
docker run --user {name} x
machinectl shell {name}@host
ls /export/home/{name}/x
cd /home/{name}
quota -u {name}
chage -l {name}
last {name}
w {name}
doas -u {name} ls
ls /run/media/{name}/usb
""".strip().split("\n")
)
NAMES = ("mareike.oberndorfer", "j.thalberg", "wprzybylski", "okonkwo-adaeze")
